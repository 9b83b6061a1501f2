import type { ClientLink } from '@orpc/client';

export type Link = ClientLink<Record<never, never>>;

/** One live way to the host. `closed` settles once it is gone. */
export interface Connection {
  readonly link: Link;
  readonly closed: Promise<void>;
}

/** Opens connections one after another; a rejection means "not now". */
export type Connector = (signal: AbortSignal) => Promise<Connection>;
