import { useMemo, useState } from 'react';
import { useI18n } from './i18n.tsx';
import { type SafeSegment, segmentText } from './safe-segments.ts';

const STEP = 20_000;

/**
 * All device text goes through here: text only, isolated in direction, with
 * characters that hide or reorder shown by code point, cut at `limit` UTF-16
 * units until asked for more. `block` keeps line breaks.
 */
export function SafeText({
  text,
  limit = 300,
  block = false,
  fixed = false,
}: {
  readonly text: string;
  readonly limit?: number;
  readonly block?: boolean;
  /** No "show more": for rows, where the whole is elsewhere. */
  readonly fixed?: boolean;
}) {
  const { t } = useI18n();
  const [extra, setExtra] = useState(0);
  const shownLimit = limit + extra;
  const { segments, shown } = useMemo(() => segmentText(text, shownLimit, block), [text, shownLimit, block]);
  const rest = text.length - shown;
  return (
    <bdi className={block ? 'safe block' : 'safe'}>
      {segments.map(renderSegment)}
      {rest > 0 && fixed ? '…' : null}
      {rest > 0 && !fixed ? (
        <>
          {'… '}
          <button type="button" className="text-button" onClick={() => setExtra(extra + STEP)}>
            {t('shell.showMore', { count: rest.toLocaleString('en-US') })}
          </button>
        </>
      ) : null}
    </bdi>
  );
}

function renderSegment(part: SafeSegment, index: number) {
  if (part.kind === 'text') return part.text;
  return (
    // Segments of one text never reorder.
    <span key={index} className="safe-chip">
      {part.count > 1 ? `${part.label} ×${part.count}` : part.label}
    </span>
  );
}
