import type { HostClient } from '../shared/contract/client.ts';
import type { DemoDecision } from '../shared/model/demo.ts';
import type { Terminal } from './terminal.ts';

/**
 * Stands in front of the demo phones while a command runs: decides on each screen as `decision` says,
 * or, without one, tells that nobody does. The function returned ends that.
 */
export function attendDemo(client: HostClient, terminal: Terminal, decision: DemoDecision | null): () => void {
  const over = new AbortController();
  void attend(client, terminal, decision, over.signal).catch(() => {
    // The host is gone: the command itself tells it.
  });
  return () => over.abort();
}

async function attend(
  client: HostClient,
  terminal: Terminal,
  decision: DemoDecision | null,
  signal: AbortSignal,
): Promise<void> {
  const seen = new Set<string>();
  for await (const prompts of await client.demo.screen(undefined, { signal })) {
    for (const { promptId, title, kind } of prompts) {
      if (seen.has(promptId)) continue;
      seen.add(promptId);
      if (decision === null) {
        terminal.notice(terminal.t('cli.demoAsks', { title, kind }));
        continue;
      }
      terminal.notice(terminal.t('cli.demoAnswered', { title, kind, decision: terminal.t(`demo.${decision}`) }));
      // Answered elsewhere meanwhile: that is an answer, too.
      await client.demo.answer({ promptId, decision }).catch(() => {});
    }
  }
}
