import { useState } from 'react';
import { ProblemView } from '../parts/problem-view.tsx';
import { useI18n } from '../ui/i18n.tsx';
import { Button } from '../ui/widgets.tsx';
import { useSearch } from './use-search.ts';

/** Finds exact characters in the whole file; next and previous go round the places that were found. */
export function SearchBar({
  callId,
  onGo,
}: {
  readonly callId: string;
  /** To a place, and the text that was found there; a null place forgets it. */
  readonly onGo: (offset: number | null, text: string) => void;
}) {
  const { t } = useI18n();
  const { search, find, stop } = useSearch(callId);
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const { hits, state } = search;
  const go = (to: number) => {
    const next = (to + hits.length) % hits.length;
    const offset = hits[next];
    if (offset === undefined) return;
    setAt(next);
    onGo(offset, search.text);
  };
  const start = () => {
    setAt(0);
    onGo(null, '');
    void find(text, (first) => onGo(first, text));
  };
  const submit = () => (text === search.text && hits.length > 0 ? go(at + 1) : start());
  const count = hits.length.toLocaleString('en-US');
  const status =
    state === 'none'
      ? ''
      : hits.length > 0
        ? t(state === 'limit' ? 'uiResult.hitOfAtLeast' : 'uiResult.hitOf', {
            at: (at + 1).toLocaleString('en-US'),
            count,
          })
        : t(state === 'running' ? 'uiResult.searching' : state === 'whole' ? 'uiResult.noHit' : 'uiResult.stopped');
  return (
    <>
      <form
        className="row"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <input
          className="text-input result-find"
          type="search"
          value={text}
          maxLength={1000}
          spellCheck={false}
          aria-label={t('uiResult.find')}
          placeholder={t('uiResult.find')}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !event.shiftKey || hits.length === 0) return;
            event.preventDefault();
            go(at - 1);
          }}
        />
        <Button
          small
          icon="back"
          aria-label={t('uiResult.previousHit')}
          title={t('uiResult.previousHit')}
          disabled={hits.length === 0}
          onClick={() => go(at - 1)}
        />
        <Button
          small
          icon="chevron"
          aria-label={t('uiResult.nextHit')}
          title={t('uiResult.nextHit')}
          disabled={hits.length === 0}
          onClick={() => go(at + 1)}
        />
        <span className="fine num dim" role="status">
          {status}
        </span>
        {state === 'running' ? (
          <Button small look="quiet" icon="cross" onClick={stop}>
            {t('uiResult.stop')}
          </Button>
        ) : null}
      </form>
      {search.problem === null ? null : <ProblemView problem={search.problem} alert />}
    </>
  );
}
