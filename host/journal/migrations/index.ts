import { events } from './0001-events.ts';
import { operations } from './0002-operations.ts';
import { startsOfProvider } from './0003-starts-of-provider.ts';

export interface Migration {
  readonly version: number;
  readonly sql: string;
}

/** In order. A file that was released is never edited: a change is a further file. */
export const migrations: readonly Migration[] = [events, operations, startsOfProvider];
