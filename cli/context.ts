import type { HostClient } from '../shared/contract/client.ts';
import type { CliOptions } from './options.ts';
import type { Terminal } from './terminal.ts';

/** What every command gets. */
export interface CommandContext {
  readonly client: HostClient;
  readonly options: CliOptions;
  readonly terminal: Terminal;
  /** Aborts on Ctrl+C. */
  readonly signal: AbortSignal;
}
