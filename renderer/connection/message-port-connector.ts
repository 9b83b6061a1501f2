import { RPCLink } from '@orpc/client/message-port';
import type { Connection, Connector } from './connector.ts';

/** How long a host that is starting may take until it is asked again, in ms. */
const PATIENCE_MS = 10_000;

/**
 * The desktop shell: the page says `{type: 'cetp:ready'}` to its own window, and the preload answers with
 * `{type: 'cetp:port'}` and a MessagePort to the host. A port also comes unasked after a crashed host was
 * restarted; `{type: 'cetp:lost'}` says earlier that the host is gone, as a port itself does not tell.
 */
export function messagePortConnector(): Connector {
  let waiting: ((port: MessagePort) => void) | undefined;
  let early: MessagePort | undefined;
  let dropCurrent: (() => void) | undefined;
  window.addEventListener('message', (event: MessageEvent<unknown>) => {
    if (event.source !== window) return;
    if (isMessage(event.data, 'cetp:lost')) dropCurrent?.();
    if (!isMessage(event.data, 'cetp:port')) return;
    const port = event.ports[0];
    if (port === undefined) return;
    if (waiting === undefined) {
      early = port;
      dropCurrent?.();
    } else waiting(port);
  });
  return async (signal) => {
    const port = await new Promise<MessagePort>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('The host did not answer.')), PATIENCE_MS);
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      waiting = (arrived) => {
        clearTimeout(timer);
        resolve(arrived);
      };
      if (early === undefined) window.postMessage({ type: 'cetp:ready' }, window.location.origin);
      else waiting(early);
      early = undefined;
    }).finally(() => {
      waiting = undefined;
    });
    const closed = new Promise<void>((resolve) => {
      // Engines that have the event fire it when the process at the other end is gone.
      port.addEventListener('close', () => resolve(), { once: true });
      dropCurrent = () => {
        port.dispatchEvent(new Event('close'));
        port.close();
      };
    });
    const connection: Connection = { link: new RPCLink({ port }), closed };
    port.start();
    return connection;
  };
}

function isMessage(data: unknown, type: string): boolean {
  return typeof data === 'object' && data !== null && 'type' in data && data.type === type;
}
