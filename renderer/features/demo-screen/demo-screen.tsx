import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { DemoPrompt } from '../../../shared/model/demo.ts';
import { useOrpc } from '../../connection/context.tsx';
import { problemOf } from '../../connection/problem-of.ts';
import { useDemoScreen } from '../../connection/streams.ts';
import { ProblemView } from '../../parts/problem-view.tsx';
import { useI18n } from '../../ui/i18n.tsx';
import { Icon } from '../../ui/icon.tsx';
import { SafeText } from '../../ui/safe-text.tsx';
import { Button } from '../../ui/widgets.tsx';
import { PhonePrompt } from './phone-prompt.tsx';
import './demo-screen.css';

/** The screen of a demo phone, on every page, while a Provider on it asks the person in front of it. Nothing else ever shows here. */
export function DemoScreen() {
  const { t } = useI18n();
  const prompts = useDemoScreen().value ?? [];
  const [first] = prompts;
  return (
    <>
      {/* Always there, so that a screen that opens is told. */}
      <div role="status" className="sr-only">
        {first === undefined ? '' : t('demo.asks', { title: first.title.slice(0, 120) })}
      </div>
      {first === undefined ? null : <Phone key={first.promptId} prompt={first} count={prompts.length} />}
    </>
  );
}

function Phone({ prompt, count }: { readonly prompt: DemoPrompt; readonly count: number }) {
  const { t } = useI18n();
  const orpc = useOrpc();
  const answer = useMutation(orpc.demo.answer.mutationOptions());
  const [hidden, setHidden] = useState(false);
  const frame = useRef<HTMLElement>(null);
  const cameFrom = useRef<Element | null>(null);
  // What had the focus gets it back when this screen goes with it.
  useEffect(() => {
    const element = frame.current;
    return () => {
      if (element?.contains(document.activeElement) && cameFrom.current instanceof HTMLElement)
        cameFrom.current.focus();
    };
  }, []);
  if (hidden) {
    return (
      <div className="phone-pill">
        <Button icon="phone" data-demo-screen="" title={t('demo.show')} onClick={() => setHidden(false)}>
          {t('demo.hidden', { count })}
        </Button>
      </div>
    );
  }
  return (
    <section
      ref={frame}
      className="phone"
      data-demo-screen=""
      tabIndex={-1}
      aria-labelledby="phone-name"
      onFocus={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) cameFrom.current = event.relatedTarget;
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        setHidden(true);
        if (cameFrom.current instanceof HTMLElement) cameFrom.current.focus();
      }}
    >
      <header className="phone-head">
        <Icon name="phone" />
        <div className="grow">
          <h2 id="phone-name">{t('demo.screen')}</h2>
          <div className="dim fine">
            <SafeText text={prompt.model} limit={40} /> · <SafeText text={prompt.serial} limit={40} />
            {count > 1 ? ` · ${t('demo.position', { index: 1, count })}` : null}
          </div>
        </div>
        <Button
          small
          look="quiet"
          icon="cross"
          aria-label={t('demo.hide')}
          title={t('demo.hide')}
          onClick={() => setHidden(true)}
        />
      </header>
      <div className="phone-glass">
        <PhonePrompt
          prompt={prompt}
          busy={answer.isPending}
          onDecide={(decision) => answer.mutate({ promptId: prompt.promptId, decision })}
        />
      </div>
      {answer.error === null ? null : <ProblemView alert problem={problemOf(answer.error)} />}
      <p className="dim fine">{t('demo.only')}</p>
    </section>
  );
}
