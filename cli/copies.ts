import type { CallRecord } from '../shared/model/call.ts';
import type { CommandContext } from './context.ts';

/** How each copy of a call that left several times ended (`--times`). */
export interface Copy {
  readonly index: number;
  readonly status: string;
  readonly errorCode: string | null;
}

/** The ends of all copies, told on stderr; null for a call that left once. */
export async function copiesOf({ client, terminal }: CommandContext, first: CallRecord): Promise<Copy[] | null> {
  const { burst, draft } = first.prepared;
  if (burst === null) return null;
  const { deviceKey, userId, providerKey } = draft;
  const stop = new AbortController();
  try {
    for await (const calls of await client.calls.watch({ deviceKey, userId, providerKey }, { signal: stop.signal })) {
      const copies = calls
        .filter(({ prepared }) => prepared.burst?.of === burst.of)
        .map(({ prepared, outcome }) => ({
          index: (prepared.burst?.index ?? 0) + 1,
          status: outcome?.kind ?? 'running',
          errorCode: outcome?.kind === 'provider-error' ? outcome.errorCode : null,
        }))
        .sort((a, b) => a.index - b.index);
      for (const { index, status, errorCode } of copies) {
        const copy = terminal.t('uiDeliberate.burst', { index, count: burst.count });
        terminal.notice(`${copy}: ${status}${errorCode === null ? '' : ` ${errorCode}`}`);
      }
      return copies;
    }
  } finally {
    stop.abort();
  }
  return [];
}
