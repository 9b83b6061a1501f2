import { Fragment } from 'react';
import type { DemoDecision, DemoPrompt } from '../../../shared/model/demo.ts';
import { useI18n } from '../../ui/i18n.tsx';
import { Icon } from '../../ui/icon.tsx';
import { SafeText } from '../../ui/safe-text.tsx';
import { Badge, Button } from '../../ui/widgets.tsx';
import { argumentRows } from './arguments.ts';

/** What the Provider's own confirmation screen shows (v2 7.2): who asks, for what, with which values, what cannot be undone. */
export function PhonePrompt({
  prompt,
  busy,
  onDecide,
}: {
  readonly prompt: DemoPrompt;
  readonly busy: boolean;
  readonly onDecide: (decision: DemoDecision) => void;
}) {
  const { t, known } = useI18n();
  return (
    <>
      <div className="phone-app">
        <SafeText text={prompt.providerName} limit={60} />
      </div>
      <div className="phone-body">
        <h3>{t(prompt.kind === 'confirm' ? 'demo.confirm' : 'demo.authorize')}</h3>
        <p className="phone-title">
          <SafeText text={prompt.title} limit={120} />
        </p>
        <dl className="phone-facts">
          <dt>{t('demo.caller')}</dt>
          <dd>
            {prompt.callerPackages.length === 0 ? t('demo.callerUnknown') : null}
            {prompt.callerPackages.map((name) => (
              <div key={name} className="mono">
                <SafeText text={name} limit={120} />
              </div>
            ))}
            <div className="dim fine">{t('demo.uid', { uid: prompt.callerUid })}</div>
          </dd>
          <dt>{t('demo.action')}</dt>
          <dd className="mono">
            <SafeText text={prompt.tool} limit={80} />
          </dd>
          <dt>{t('demo.effect')}</dt>
          <dd>
            <SafeText text={known(`demo.effect.${prompt.effect}`) ?? prompt.effect} limit={60} />
          </dd>
          <dt>{t('demo.risk')}</dt>
          <dd>
            <SafeText text={known(`demo.risk.${prompt.risk}`) ?? prompt.risk} limit={60} />
          </dd>
        </dl>
        <Parameters argsText={prompt.argsText} />
        {prompt.kind === 'authorize' ? <Scopes prompt={prompt} /> : null}
        {prompt.destructive || prompt.consequences !== null ? (
          <div className="phone-warning tone-bad">
            <Icon name="warning" size={14} />
            <div>
              {prompt.destructive ? <div className="strong">{t('demo.destructive')}</div> : null}
              {prompt.consequences === null ? null : <SafeText text={prompt.consequences} limit={400} block />}
            </div>
          </div>
        ) : null}
      </div>
      <div className="phone-actions">
        <Button act look="primary" disabled={busy} onClick={() => onDecide('approve')}>
          {t('demo.approve')}
        </Button>
        <Button act disabled={busy} onClick={() => onDecide('deny')}>
          {t('demo.deny')}
        </Button>
        <Button act look="quiet" disabled={busy} onClick={() => onDecide('close')}>
          {t('demo.close')}
        </Button>
      </div>
    </>
  );
}

function Parameters({ argsText }: { readonly argsText: string }) {
  const { t } = useI18n();
  const rows = argumentRows(argsText);
  if (rows?.length === 0) return <p className="sub fine">{t('demo.noParameters')}</p>;
  return (
    <div>
      <h4>{t('demo.parameters')}</h4>
      {rows === null ? (
        <div className="mono">
          <SafeText text={argsText} limit={400} block />
        </div>
      ) : (
        <dl className="phone-facts mono">
          {rows.map(({ name, value }) => (
            <Fragment key={name}>
              <dt>
                <SafeText text={name} limit={60} />
              </dt>
              <dd>
                <SafeText text={value} limit={200} />
              </dd>
            </Fragment>
          ))}
        </dl>
      )}
    </div>
  );
}

function Scopes({ prompt }: { readonly prompt: DemoPrompt }) {
  const { t, known } = useI18n();
  return (
    <div>
      <h4>{t('demo.scopes')}</h4>
      <ul className="stack-s">
        {prompt.scopes.map((scope) => (
          <li key={scope.name}>
            <span className="row wrap">
              <span className="strong">
                <SafeText text={scope.title} limit={80} />
              </span>
              <Badge tone={scope.access === 'write' ? 'warn' : 'plain'}>
                <SafeText text={known(`demo.${scope.access}`) ?? scope.access} limit={30} />
              </Badge>
            </span>
            <span className="dim fine">
              <SafeText text={scope.description} limit={160} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
