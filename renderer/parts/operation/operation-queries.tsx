import { useState } from 'react';
import type { Operation } from '../../../shared/model/operation.ts';
import { formatDuration, formatTime } from '../../ui/format.ts';
import { useI18n } from '../../ui/i18n.tsx';
import { SafeText } from '../../ui/safe-text.tsx';
import { Button } from '../../ui/widgets.tsx';
import { FindingList } from '../findings.tsx';
import { ProblemLine } from '../problem-view.tsx';

const SHOWN = 8;

/** Every query and request to cancel with its answer, newest first, and what we found in them. */
export function OperationQueries({ operation }: { readonly operation: Operation }) {
  const { t } = useI18n();
  const [all, setAll] = useState(false);
  const { queries, queryCount } = operation;
  const findings = queries.flatMap((query) => query.findings);
  if (queryCount === 0) return null;
  const newest = [...queries].reverse();
  return (
    <>
      <table className="table fine op-queries" aria-label={t('uiOperations.queries')}>
        <thead>
          <tr>
            <th scope="col">{t('uiOperations.time')}</th>
            <th scope="col">{t('uiOperations.method')}</th>
            <th scope="col">{t('uiOperations.answer')}</th>
          </tr>
        </thead>
        <tbody>
          {newest.slice(0, all ? undefined : SHOWN).map((query) => (
            <tr key={query.exchangeId}>
              <td className="mono num">
                {formatTime(query.atMs)}
                {query.answeredAtMs === null ? null : (
                  <span className="dim"> +{formatDuration(Math.max(0, query.answeredAtMs - query.atMs))}</span>
                )}
              </td>
              <td className="mono">{query.method}</td>
              <td>
                {query.problem === null ? (
                  <span className="mono">
                    <SafeText text={query.state ?? query.errorCode ?? ''} limit={80} fixed />
                  </span>
                ) : (
                  <ProblemLine problem={query.problem} />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {queryCount > SHOWN ? (
        <p className="fine dim">
          {t('uiOperations.queriesShown', { shown: all ? queries.length : SHOWN, total: queryCount })}{' '}
          {all || queries.length <= SHOWN ? null : (
            <Button small look="quiet" onClick={() => setAll(true)}>
              {t('uiOperations.showAll')}
            </Button>
          )}
        </p>
      ) : null}
      {findings.length === 0 ? null : <FindingList findings={findings} />}
    </>
  );
}
