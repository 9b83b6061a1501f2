import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { GeneratedArgs, GenerateMode } from '../../../shared/model/call.ts';
import type { ToolDetail } from '../../../shared/model/catalog.ts';
import type { Problem } from '../../../shared/model/problem.ts';
import { useClient } from '../../connection/context.tsx';
import { problemOf } from '../../connection/problem-of.ts';
import type { OfProvider } from '../../connection/streams.ts';
import { useI18n } from '../../ui/i18n.tsx';
import { Icon } from '../../ui/icon.tsx';

const MODES: readonly GenerateMode[] = ['minimal', 'all', 'example'];

/** Replaces the arguments by ones made from the schema. */
export function GenerateMenu({
  of,
  detail,
  onMade,
  onFailed,
}: {
  readonly of: OfProvider;
  readonly detail: ToolDetail;
  readonly onMade: (args: GeneratedArgs) => void;
  readonly onFailed: (problem: Problem) => void;
}) {
  const { t } = useI18n();
  const client = useClient();
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const items = () => [...(root.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];

  // biome-ignore lint/correctness/useExhaustiveDependencies: the items are there once it is open
  useEffect(() => {
    if (!open) return;
    items()[0]?.focus();
    const onDown = (event: PointerEvent) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setOpen(false);
    };
    window.addEventListener('pointerdown', onDown);
    return () => window.removeEventListener('pointerdown', onDown);
  }, [open]);

  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  const make = (mode: GenerateMode) => {
    close();
    setBusy(true);
    client.catalog
      .generate({ ...of, index: detail.row.index, mode })
      .then(onMade, (error: unknown) => onFailed(problemOf(error)))
      .finally(() => setBusy(false));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const all = items();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      all[(to + all.length) % all.length]?.focus();
    } else if (event.key === 'Escape') {
      event.stopPropagation();
      close();
    } else if (event.key === 'Tab') setOpen(false);
  };
  return (
    <div className="menu-root" ref={root}>
      <button
        ref={button}
        type="button"
        className="btn quiet fine"
        aria-haspopup="menu"
        aria-expanded={open}
        disabled={detail.inputSchema === null || busy}
        title={t('uiForm.generateHelp')}
        onClick={() => setOpen(!open)}
      >
        <Icon name="braces" size={14} />
        {t('uiForm.generate')}
        {busy ? <span className="spinner" /> : <Icon name="expand" size={10} />}
      </button>
      {open ? (
        <div className="menu" role="menu" tabIndex={-1} aria-label={t('uiForm.generate')} onKeyDown={onKeyDown}>
          {MODES.map((mode) => (
            <button
              key={mode}
              type="button"
              role="menuitem"
              tabIndex={-1}
              className="menu-item"
              onClick={() => make(mode)}
            >
              <span>{t(`uiForm.mode.${mode}`)}</span>
              <span className="fine dim">{t(`uiForm.modeHelp.${mode}`)}</span>
            </button>
          ))}
        </div>
      ) : null}
    </div>
  );
}
