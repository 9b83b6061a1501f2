import { assertNever } from '../../../../shared/base/assert-never.ts';
import type { BinderOutcome } from '../../virtual-device.ts';
import { orAbort, type Process, SHELL_UID } from '../process.ts';
import { type ContentCall, ContentUsageError, parseContentCall } from './content/arguments.ts';
import { printBundle } from './content/print-bundle.ts';
import { contentError, type Thrower } from './content/stack-traces.ts';

/** What `content` prints for wrong arguments, before the error line. */
const USAGE = `usage: adb shell content [subcommand] [options]

usage: adb shell content call --uri <URI> --method <METHOD> [--arg <ARG>]
       [--extra <BINDING> ...] [--user <USER_ID>]
  <BINDING> is <KEY>:<TYPE>:<VALUE>
`;

/** Exceptions that a Parcel carries to the caller. Any other ends as an empty Bundle (android-facts 1.3). */
const CARRIED = new Set([
  'java.io.FileNotFoundException',
  'java.lang.IllegalArgumentException',
  'java.lang.IllegalStateException',
  'java.lang.NullPointerException',
  'java.lang.SecurityException',
  'java.lang.UnsupportedOperationException',
  'android.content.OperationApplicationException',
  'android.database.sqlite.SQLiteAbortException',
  'android.database.sqlite.SQLiteConstraintException',
  'android.database.sqlite.SQLiteDatabaseCorruptException',
  'android.database.sqlite.SQLiteDiskIOException',
  'android.database.sqlite.SQLiteException',
  'android.database.sqlite.SQLiteFullException',
  'android.os.BadParcelableException',
  'android.os.NetworkOnMainThreadException',
  'android.os.OperationCanceledException',
  'android.os.ServiceSpecificException',
]);

/**
 * `content call`, printing as each Android version does. Always exits with 0:
 * failures are text on standard error, wrong arguments text on standard output.
 * The Provider sees uid 2000.
 */
export async function content(process: Process): Promise<number> {
  const { sdk } = process.device.android;
  const [, operation, ...args] = process.argv;
  let call: ContentCall;
  try {
    if (operation !== 'call') throw new ContentUsageError(`Unsupported operation: ${operation ?? 'null'}`);
    call = parseContentCall(args, sdk);
  } catch (error) {
    if (!(error instanceof ContentUsageError)) throw error;
    await process.stdout.write(`${USAGE}\n[ERROR] ${error.message}\n`);
    return 0;
  }
  const fail = async (thrower: Thrower, className: string, message: string | null): Promise<number> => {
    await process.stderr.write(contentError(sdk, call.authority, { class: className, message, thrower }));
    return 0;
  };
  const known = process.device.android.users.some((user) => user.id === call.userId);
  const acquired = call.authority === null || !known ? null : process.device.android.acquire(SHELL_UID, call.authority);
  if (acquired === null || acquired.kind === 'unknown-authority') {
    return fail('lookup', 'java.lang.IllegalStateException', `Could not find provider: ${call.authority ?? 'null'}`);
  }
  if (acquired.kind === 'security') return fail('acquire', 'java.lang.SecurityException', acquired.message);

  const caller = { uid: SHELL_UID, packages: ['com.android.shell'] };
  const extras = { entries: call.extras, objects: {} };
  const outcome = await orAbort(acquired.app.call(caller, call.method, call.arg, extras), process.signal);
  if (outcome === null) return 129;
  return report(process, outcome, fail);
}

async function report(
  { device, stdout }: Process,
  outcome: BinderOutcome,
  fail: (thrower: Thrower, className: string, message: string | null) => Promise<number>,
): Promise<number> {
  const { sdk } = device.android;
  switch (outcome.kind) {
    case 'bundle': {
      const printed = printBundle(outcome.bundle, sdk);
      closeDescriptors(outcome);
      if (!printed.ok) return fail('result', printed.class, printed.message);
      await stdout.write(`Result: ${printed.text}\n`);
      return 0;
    }
    case 'null':
      if (sdk < 28) {
        const text = "Attempt to invoke virtual method 'int android.os.Bundle.size()' on a null object reference";
        return fail('result', 'java.lang.NullPointerException', text);
      }
      await stdout.write('Result: null\n');
      return 0;
    case 'exception':
      if (CARRIED.has(outcome.class)) return fail('call', outcome.class, outcome.message);
      await stdout.write('Result: Bundle[{}]\n');
      return 0;
    case 'died':
      return fail('parcel', 'android.os.DeadObjectException', null);
    case 'too-large':
      return outcome.side === 'request'
        ? fail('parcel', 'android.os.TransactionTooLargeException', 'data parcel size over the limit')
        : fail(
            'parcel',
            'android.os.DeadObjectException',
            'Transaction failed on small parcel; remote process probably died',
          );
    default:
      return assertNever(outcome);
  }
}

/** The process ends, and with it every descriptor that it was handed. */
function closeDescriptors(outcome: Extract<BinderOutcome, { kind: 'bundle' }>): void {
  for (const object of Object.values(outcome.bundle.objects)) if (object.t === 'fd') object.close();
}
