import type { Bundle } from '../../../shared/model/bundle.ts';
import type { BinderOutcome, DeviceObject, PackageSpec } from '../virtual-device.ts';
import { answer, NO_OBJECTS, string } from './bundles.ts';
import { providerPackage, V1 } from './package-builder.ts';
import { type ReceivedCall, type RecordingApp, recording } from './recorder.ts';
import { descriptorOf } from './v2/envelope.ts';

export const ECHO_PACKAGE = 'org.example.echo';

/**
 * The sample Provider of the companion vectors: each method shows one way in
 * which a `call()` can end. `companion/vectors/README.md` describes it, so that
 * another implementation can build the same.
 */
export function createEchoProvider(): RecordingApp {
  return recording((call) => respond(call));
}

export function echoPackage(app: RecordingApp = createEchoProvider()): PackageSpec {
  return providerPackage({ package: ECHO_PACKAGE, label: 'Echo', app, version: V1, versions: null });
}

function respond(call: ReceivedCall): BinderOutcome | Promise<BinderOutcome> {
  switch (call.method) {
    case 'echo':
      return answer([...(call.extras?.entries ?? []), ...argument(call)]);
    case 'null':
      return { kind: 'null' };
    case 'empty':
      return answer([]);
    case 'no_extras':
      return answer([{ key: 'extras_null', t: 'boolean', v: call.extras === null }]);
    case 'throw':
      return { kind: 'exception', class: 'java.lang.IllegalStateException', message: 'echo threw' };
    case 'throw_security':
      return { kind: 'exception', class: 'java.lang.SecurityException', message: 'echo refused' };
    case 'die':
      return { kind: 'died' };
    case 'hang':
      return new Promise(() => {});
    case 'too_large':
      return answer([string('pad', 'x'.repeat(2_000_000))]);
    case 'special':
      return answer(SPECIAL);
    case 'null_key':
      return { kind: 'bundle', bundle: { entries: [string('kept', 'yes')], objects: NO_OBJECTS, nullKeys: 1 } };
    case 'file':
      return answer([], { result_fd: descriptorOf(Buffer.from('hello\n')) });
    case 'broken_file':
      return answer([], { result_fd: brokenDescriptor() });
    case 'two_files':
      return answer([], { a: descriptorOf(Buffer.from('a')), b: descriptorOf(Buffer.from('b')) });
    case 'files_200':
      return answer(
        [],
        Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`f${i}`, descriptorOf(Buffer.from('x'))])),
      );
    case 'intent_ok':
      return answer([], { resolution: intent({}) });
    case 'intent_cancel':
      return answer([], { resolution: intent({ launch: async () => ({ resultCode: 0 }) }) });
    case 'intent_open':
      return answer([], { resolution: intent({ launch: () => new Promise(() => {}) }) });
    case 'intent_broadcast':
      return answer([], { resolution: intent({ kind: 'broadcast' }) });
    case 'intent_dead':
      return answer([], { resolution: intent({ launch: () => Promise.reject(new Error('cancelled')) }) });
    default:
      // The default of ContentProvider.call().
      return { kind: 'null' };
  }
}

function argument(call: ReceivedCall): Bundle {
  return call.arg === null ? [] : [string('arg', call.arg)];
}

const SPECIAL: Bundle = [
  { key: 'opaque', t: 'opaque', v: { class: 'android.graphics.Rect', text: 'Rect(0, 0 - 1, 1)' } },
  { key: 'nan', t: 'double', v: 'NaN' },
  { key: 'min', t: 'long', v: '-9223372036854775808' },
  { key: '__proto__', t: 'string', v: 'a key like any other' },
  { key: 'surrogate', t: 'string', v: 'half \ud83d' },
  { key: 'missing', t: 'null' },
];

function intent(change: Partial<Extract<DeviceObject, { t: 'pendingIntent' }>>): DeviceObject {
  return {
    t: 'pendingIntent',
    creatorPackage: ECHO_PACKAGE,
    creatorUid: -1,
    immutable: true,
    kind: 'activity',
    launch: async () => ({ resultCode: -1 }),
    ...change,
  };
}

function brokenDescriptor(): DeviceObject {
  return {
    ...descriptorOf(Buffer.from('hello\n')),
    size: -1,
    read: async function* () {
      yield Buffer.from('hel');
      throw new Error('EIO (I/O error)');
    },
  };
}
