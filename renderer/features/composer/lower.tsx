import { useState } from 'react';
import type { PreparedCall, SchemaVerdict } from '../../../shared/model/call.ts';
import type { ToolDetail } from '../../../shared/model/catalog.ts';
import { BundleTable } from '../../parts/bundle-table.tsx';
import { DeadlineClock } from '../../parts/clock-offset.tsx';
import { DeliberateBanner } from '../../parts/deliberate-banner.tsx';
import { FindingList } from '../../parts/findings.tsx';
import { ProblemView } from '../../parts/problem-view.tsx';
import { SchemaTree } from '../../parts/schema-tree.tsx';
import { Verdict } from '../../parts/verdict.tsx';
import { formatBytes, formatTime } from '../../ui/format.ts';
import { useI18n } from '../../ui/i18n.tsx';
import { SafeText } from '../../ui/safe-text.tsx';
import { Button, CopyButton, Segmented } from '../../ui/widgets.tsx';
import type { Preparation } from './use-prepared.ts';

type View = 'preview' | 'schema' | 'tool';

/** Below the editor: what will be sent, or what the tool says of itself. */
export function Lower({
  preparation,
  detail,
  onNegotiate,
}: {
  readonly preparation: Preparation;
  readonly detail: ToolDetail;
  /** A new session, where a call is refused for want of one. */
  readonly onNegotiate: () => void;
}) {
  const { t } = useI18n();
  const [view, setView] = useState<View>('preview');
  const { prepared, pending } = preparation;
  return (
    <div className="lower">
      <div className="lower-bar">
        <Segmented
          label={t('uiComposer.views')}
          value={view}
          options={[
            { value: 'preview', label: t('uiComposer.preview') },
            { value: 'schema', label: t('uiCatalog.inputSchema') },
            { value: 'tool', label: t('uiComposer.tool') },
          ]}
          onChange={setView}
        />
        <span className="grow" />
        {view === 'preview' && prepared !== null ? <State verdict={prepared.argsVerdict} pending={pending} /> : null}
      </div>
      <div className="lower-body">
        {view === 'preview' ? <Preview preparation={preparation} onNegotiate={onNegotiate} /> : null}
        {view === 'schema' ? (
          detail.inputSchema === null ? (
            <p className="dim">{t('uiCatalog.noSchema')}</p>
          ) : (
            <SchemaTree text={detail.inputSchema} />
          )
        ) : null}
        {view === 'tool' ? (
          <div className="stack">
            {detail.description === '' ? (
              <p className="dim">{t('uiCatalog.noDescription')}</p>
            ) : (
              <SafeText text={detail.description} limit={1500} block />
            )}
            <div className="card">
              <FindingList findings={detail.row.findings} />
            </div>
          </div>
        ) : null}
      </div>
    </div>
  );
}

function State({ verdict, pending }: { readonly verdict: SchemaVerdict; readonly pending: boolean }) {
  const { t } = useI18n();
  if (pending) {
    return (
      <span className="row dim fine" role="status">
        <span className="spinner" /> {t('uiComposer.preparing')}
      </span>
    );
  }
  return <Verdict verdict={verdict} subject="args" brief />;
}

const WITHOUT_SESSION = new Set([
  'no-session',
  'session-ended',
  'session-expired',
  'session-ended-by-provider',
  'prepared-stale',
]);

function Preview({
  preparation,
  onNegotiate,
}: {
  readonly preparation: Preparation;
  readonly onNegotiate: () => void;
}) {
  const { t } = useI18n();
  const { prepared, problem, pending } = preparation;
  if (problem !== null) return <ProblemView problem={problem} title={t('uiComposer.prepareFailed')} />;
  if (prepared === null) return <span className="spinner" />;
  return (
    <div className={`stack ${pending ? 'outdated' : ''}`} aria-busy={pending}>
      <DeliberateBanner prepared={prepared} />
      {prepared.refusals.map((refusal) => (
        <ProblemView
          key={`${refusal.code} ${JSON.stringify(refusal.params)}`}
          problem={refusal}
          tone="own"
          icon="shield"
        />
      ))}
      {prepared.refusals.some(({ code }) => WITHOUT_SESSION.has(code)) ? (
        <div>
          <Button icon="link" onClick={onNegotiate}>
            {t('uiProviders.negotiateAgain')}
          </Button>
        </div>
      ) : null}
      {prepared.warnings.map((warning) => (
        <ProblemView key={`${warning.code} ${JSON.stringify(warning.params)}`} problem={warning} tone="warn" />
      ))}
      <Verdict verdict={prepared.argsVerdict} subject="args" />
      <SizeMeter prepared={prepared} />
      <div className="card">
        <BundleTable bundle={prepared.extras} label={t('uiComposer.preview')} />
      </div>
      <dl className="facts fine">
        <dt>{t('uiComposer.target')}</dt>
        <dd className="mono">
          content://
          <SafeText text={prepared.authority} limit={200} /> · {prepared.method}
        </dd>
        <dt>{t('uiComposer.via')}</dt>
        <dd>{t(`uiProviders.bridge.${prepared.bridge}`)}</dd>
        {prepared.deadlineAtMs === null ? null : (
          <>
            <dt>{t('uiComposer.deadline')}</dt>
            <dd className="num">
              {formatTime(prepared.deadlineAtMs)} <DeadlineClock clock={prepared.deviceClock} />
            </dd>
          </>
        )}
        <dt>{t('uiComposer.wireSize')}</dt>
        <dd className="num">
          {formatBytes(prepared.wireBytes)}{' '}
          {prepared.wireBytes < 1024 ? null : <span className="dim">({prepared.wireBytes} B)</span>}
        </dd>
        <dt>SHA-256</dt>
        <dd className="mono row">
          <span className="grow anywhere">{prepared.wireSha256}</span>
          <CopyButton text={prepared.wireSha256} />
        </dd>
        {prepared.shellCommand === null ? null : (
          <>
            <dt>{t('uiComposer.shellCommand')}</dt>
            <dd className="mono">
              <SafeText text={prepared.shellCommand} limit={1200} block />
            </dd>
          </>
        )}
      </dl>
    </div>
  );
}

function SizeMeter({ prepared }: { readonly prepared: PreparedCall }) {
  const { t } = useI18n();
  const { argsBytes, maxRequestBytes } = prepared;
  if (maxRequestBytes === null)
    return <p className="dim fine num">{t('uiComposer.argsSizeNoLimit', { size: formatBytes(argsBytes) })}</p>;
  const share = maxRequestBytes === 0 ? 1 : argsBytes / maxRequestBytes;
  const percent = share * 100;
  const text = t('uiComposer.argsSize', {
    size: argsBytes.toLocaleString('en'),
    limit: maxRequestBytes.toLocaleString('en'),
    percent: percent > 0 && percent < 0.1 ? '< 0.1' : percent.toFixed(percent < 10 ? 1 : 0),
  });
  return (
    <div className="stack-s">
      <div className={`fine num ${share > 1 ? 'tone-bad toned strong' : 'dim'}`}>{text}</div>
      {/* biome-ignore lint/a11y/useSemanticElements: the native meter cannot be styled alike in all themes */}
      <div
        className={`meter ${share > 1 ? 'over' : ''}`}
        role="meter"
        aria-label={text}
        aria-valuemin={0}
        aria-valuemax={maxRequestBytes}
        aria-valuenow={Math.min(argsBytes, maxRequestBytes)}
      >
        <span style={{ width: `${Math.min(100, share * 100)}%` }} />
      </div>
    </div>
  );
}
