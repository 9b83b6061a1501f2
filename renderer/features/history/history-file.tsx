import { useQuery } from '@tanstack/react-query';
import type { JournalEvent } from '../../../shared/model/event.ts';
import { useOrpc } from '../../connection/context.tsx';
import { problemOf } from '../../connection/problem-of.ts';
import { ProblemView } from '../../parts/problem-view.tsx';
import { ResultFileView } from '../../result-file/result-file-view.tsx';
import { useI18n } from '../../ui/i18n.tsx';
import { Note } from '../../ui/widgets.tsx';

/** The file that an exchange brought, where it is still kept; that it was deleted is told, never left out. */
export function HistoryFile({
  exchangeId,
  events,
}: {
  readonly exchangeId: string;
  readonly events: readonly JournalEvent[];
}) {
  const { t } = useI18n();
  const orpc = useOrpc();
  const brought = events.some(({ kind, data }) => kind === 'notice' && data.startsWith('{"resultFile":'));
  const kept = useQuery(orpc.results.info.queryOptions({ input: { callId: exchangeId }, enabled: brought }));
  if (!brought || kept.isPending) return null;
  if (kept.error !== null) return <ProblemView problem={problemOf(kept.error)} />;
  return (
    <section className="card history-file" aria-label={t('uiResult.history')}>
      {kept.data === null ? (
        <Note tone="plain" icon="trash" title={t('problem.result-file-gone')}>
          {t('remedy.result-file-gone')}
        </Note>
      ) : (
        <ResultFileView callId={exchangeId} file={kept.data.file} outputVerdict={kept.data.outputVerdict} />
      )}
    </section>
  );
}
