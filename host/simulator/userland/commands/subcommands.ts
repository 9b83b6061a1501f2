import type { Command } from '../process.ts';
import { UsageError } from './options.ts';

/**
 * A service command such as `pm` or `am`: its first argument names the
 * subcommand. Without one it prints the head of its usage, as Android's does.
 */
export function dispatchTo(subcommands: ReadonlyMap<string, Command>, usage: string): Command {
  return async (process) => {
    const name = process.argv[1];
    const command = subcommands.get(name ?? '');
    if (command === undefined) {
      await process.stderr.write(name === undefined ? `${usage}\n` : `Unknown command: ${name}\n`);
      return 255;
    }
    try {
      return await command({ ...process, argv: process.argv.slice(1) });
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      await process.stderr.write(`Error: ${error.message}\n`);
      return 255;
    }
  };
}
