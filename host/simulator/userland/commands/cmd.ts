import type { Command } from '../process.ts';
import { am } from './am.ts';
import { pm } from './pm.ts';

/** `cmd SERVICE ARGS…`: `package` is what `pm` calls, `activity` what `am` calls. */
export const cmd: Command = async (process) => {
  const [, service, ...args] = process.argv;
  if (service === 'package') return pm({ ...process, argv: ['pm', ...args] });
  if (service === 'activity') return am({ ...process, argv: ['am', ...args] });
  if (service === undefined) {
    await process.stderr.write('cmd: No service specified; use -l to list all services\n');
    return 20;
  }
  if (service === '-l') {
    await process.stdout.write('Currently running services:\n  activity\n  package\n');
    return 0;
  }
  await process.stderr.write(`cmd: Can't find service: ${service}\n`);
  return 20;
};
