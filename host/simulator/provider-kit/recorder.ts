import type { BinderCaller, BinderOutcome, DeviceBundle, ProviderApp } from '../virtual-device.ts';

/** One `call()` as it arrived, before the Provider looked at it. */
export interface ReceivedCall {
  readonly caller: BinderCaller;
  readonly method: string;
  readonly arg: string | null;
  readonly extras: DeviceBundle | null;
}

/** A Provider that keeps what it received, in order. */
export interface RecordingApp extends ProviderApp {
  readonly received: readonly ReceivedCall[];
}

/** Wraps a Provider's code so that tests can compare what was sent with what arrived. */
export function recording(
  handle: (call: ReceivedCall) => Promise<BinderOutcome> | BinderOutcome,
  restart: () => void = () => {},
): RecordingApp {
  const received: ReceivedCall[] = [];
  return {
    received,
    async call(caller, method, arg, extras) {
      const call = { caller, method, arg, extras };
      received.push(call);
      return handle(call);
    },
    restart,
  };
}
