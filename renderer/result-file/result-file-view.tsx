import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isUnderWay } from '../../shared/model/file-state.ts';
import type { ResultFile } from '../../shared/model/result-file.ts';
import type { SchemaVerdict } from '../../shared/model/schema-verdict.ts';
import { useOrpc } from '../connection/context.tsx';
import { problemOf } from '../connection/problem-of.ts';
import { JsonTree } from '../parts/json-tree.tsx';
import { ProblemView } from '../parts/problem-view.tsx';
import { Verdict } from '../parts/verdict.tsx';
import { formatBytes } from '../ui/format.ts';
import { useI18n } from '../ui/i18n.tsx';
import { Badge, Button, Loading, Note, Segmented } from '../ui/widgets.tsx';
import { FileChecks } from './file-checks.tsx';
import { STATE_LOOKS } from './file-looks.ts';
import './result-file.css';
import { TextViewer } from './text-viewer.tsx';

type Received = NonNullable<ResultFile['received']>;

/** A tree needs the whole text in the page. */
const MAX_TREE_BYTES = 512 * 1024;

/** The file that a result came as: how far it is, what it was declared to be beside what came, and what is in it. */
export function ResultFileView({
  callId,
  file,
  outputVerdict,
}: {
  readonly callId: string;
  readonly file: ResultFile;
  readonly outputVerdict: SchemaVerdict;
}) {
  const { t } = useI18n();
  const { received } = file;
  if (received === null) {
    return (
      <Note tone="info" icon="box" title={t('uiComposer.fileTitle')}>
        <FileChecks file={file} outputVerdict={outputVerdict} />
      </Note>
    );
  }
  const look = STATE_LOOKS[received.state];
  const underWay = isUnderWay(received.state);
  return (
    <div className="result-file">
      <div className="row wrap">
        <span className="strong">{t('uiResult.file')}</span>
        <Badge tone={look.tone} icon={look.icon}>
          {t(`fileState.${received.state}`)}
        </Badge>
        <span className="fine num dim">
          {formatBytes(received.bytes)}
          {received.durationMs > 0 && received.bytes > 0 ? ` · ${formatBytes(received.bytesPerSecond)}/s` : ''}
        </span>
        <span className="grow" />
        {underWay ? null : <Actions callId={callId} hasBytes={received.sha256 !== null} />}
      </div>
      {underWay ? <Progress callId={callId} file={file} received={received} /> : null}
      {received.problem === null ? null : (
        <ProblemView problem={received.problem} tone={look.tone === 'plain' ? 'plain' : 'warn'} icon={look.icon} />
      )}
      <FileChecks file={file} outputVerdict={outputVerdict} />
      {underWay ? null : <Verdict verdict={outputVerdict} subject="output" />}
      {!underWay && received.bytes > 0 ? <Content callId={callId} /> : null}
    </div>
  );
}

function Progress({
  callId,
  file,
  received,
}: {
  readonly callId: string;
  readonly file: ResultFile;
  readonly received: Received;
}) {
  const { t } = useI18n();
  const orpc = useOrpc();
  const cancel = useMutation(orpc.calls.cancel.mutationOptions());
  const total = /^\d{1,15}$/.test(file.sizeBytes ?? '') ? Number(file.sizeBytes) : null;
  const share = total === null || total === 0 ? null : Math.min(1, received.bytes / total);
  const exact = (bytes: number) => bytes.toLocaleString('en-US');
  const text =
    total === null
      ? t('uiResult.progressOpen', { bytes: exact(received.bytes) })
      : t('uiResult.progress', { bytes: exact(received.bytes), total: exact(total) });
  return (
    <div className="stack-s">
      <div
        className={`meter ${total !== null && received.bytes > total ? 'over' : ''}`}
        role="progressbar"
        aria-label={t('uiResult.receiving')}
        aria-valuetext={text}
        aria-valuemin={0}
        aria-valuemax={100}
        {...(share === null ? {} : { 'aria-valuenow': Math.round(share * 100) })}
      >
        <span style={{ width: `${(share ?? 0) * 100}%` }} />
      </div>
      <div className="row fine">
        <span className="num dim">{text}</span>
        <span className="grow" />
        {received.state === 'receiving' ? (
          <Button
            small
            icon="cross"
            title={t('uiResult.cancelHelp')}
            disabled={cancel.isPending}
            onClick={() => cancel.mutate({ callId })}
          >
            {t('uiResult.cancel')}
          </Button>
        ) : null}
      </div>
      {cancel.error === null ? null : <ProblemView problem={problemOf(cancel.error)} alert />}
    </div>
  );
}

function Actions({ callId, hasBytes }: { readonly callId: string; readonly hasBytes: boolean }) {
  const { t } = useI18n();
  const orpc = useOrpc();
  const kept = useQuery(orpc.results.info.queryOptions({ input: { callId }, enabled: hasBytes }));
  const discard = useMutation(orpc.results.discard.mutationOptions({ onSuccess: () => kept.refetch() }));
  if (kept.data === null || kept.data === undefined) return null;
  return (
    <>
      {/* Followed by the browser or the desktop shell itself: the bytes never pass through the page. */}
      <a className="btn fine" href={`/results/${callId}`} download>
        {t('uiResult.save')}
      </a>
      <Button
        small
        look="quiet"
        icon="trash"
        aria-label={t('uiResult.discard')}
        title={t('uiResult.discardHelp')}
        disabled={discard.isPending}
        onClick={() => discard.mutate({ callId })}
      />
      {discard.error === null ? null : <ProblemView problem={problemOf(discard.error)} alert />}
    </>
  );
}

function Content({ callId }: { readonly callId: string }) {
  const { t } = useI18n();
  const orpc = useOrpc();
  const [wanted, setWanted] = useState<'tree' | 'text' | null>(null);
  const kept = useQuery(orpc.results.info.queryOptions({ input: { callId } }));
  if (kept.error !== null) return <ProblemView problem={problemOf(kept.error)} />;
  if (kept.isPending) return <Loading />;
  if (kept.data === null) {
    return (
      <Note tone="plain" icon="trash" title={t('problem.result-file-gone')}>
        {t('remedy.result-file-gone')}
      </Note>
    );
  }
  const { keptBytes, file } = kept.data;
  const mayBeTree = keptBytes <= MAX_TREE_BYTES && file.received?.checks.mediaType === 'same';
  const view = mayBeTree ? (wanted ?? 'tree') : 'text';
  return (
    <>
      {mayBeTree ? (
        <div className="row">
          <Segmented
            label={t('uiComposer.valueView')}
            value={view}
            options={[
              { value: 'tree', label: t('uiCatalog.tree') },
              { value: 'text', label: t('uiComposer.valueText') },
            ]}
            onChange={setWanted}
          />
        </div>
      ) : null}
      {view === 'tree' ? (
        <Tree callId={callId} bytes={keptBytes} />
      ) : keptBytes === 0 ? null : (
        <TextViewer callId={callId} totalBytes={keptBytes} />
      )}
    </>
  );
}

function Tree({ callId, bytes }: { readonly callId: string; readonly bytes: number }) {
  const { t } = useI18n();
  const orpc = useOrpc();
  const input = { callId, offset: 0, length: Math.max(16, bytes), as: 'text' as const };
  const part = useQuery({ ...orpc.results.read.queryOptions({ input }), gcTime: 5_000 });
  if (part.error !== null) return <ProblemView problem={problemOf(part.error)} />;
  if (part.data === undefined) return <Loading />;
  return (
    <div className="card pad result-tree">
      <JsonTree text={part.data.text ?? ''} label={t('uiResult.content')} />
    </div>
  );
}
