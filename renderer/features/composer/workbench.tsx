import { useEffect, useMemo, useState } from 'react';
import type { CallRecord, PreparedCall } from '../../../shared/model/call.ts';
import type { ToolDetail } from '../../../shared/model/catalog.ts';
import type { Problem } from '../../../shared/model/problem.ts';
import { useClient } from '../../connection/context.tsx';
import { problemOf } from '../../connection/problem-of.ts';
import { type OfProvider, useCalls } from '../../connection/streams.ts';
import { type GuardedSchema, guardSchema } from '../../editor/schema-guard.ts';
import { ProblemView } from '../../parts/problem-view.tsx';
import { useI18n } from '../../ui/i18n.tsx';
import { Button } from '../../ui/widgets.tsx';
import { ArgsArea } from './args-area.tsx';
import { BreakOnPurpose, type Broken, UNBROKEN } from './break-on-purpose.tsx';
import { CallColumn } from './call-column.tsx';
import { CallOptionsRow, NO_OPTIONS, parseDeadline } from './call-options.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { Lower } from './lower.tsx';
import { isUuid, parseTimeout } from './rolling.ts';
import { SaveCall } from './save-call.tsx';
import { useDraft } from './use-draft.ts';
import { usePrepared } from './use-prepared.ts';

const RUN_KEY = /Mac|iP/.test(navigator.platform) ? '⌘ ↵' : 'Ctrl ↵';
const NO_SCHEMA: GuardedSchema = { schema: null, notes: [] };

export function Workbench({
  of,
  tool,
  detail,
  initial,
}: {
  readonly of: OfProvider;
  readonly tool: string;
  readonly detail: ToolDetail;
  readonly initial: string;
}) {
  const { t } = useI18n();
  const client = useClient();
  const draft = useDraft(of, tool, initial);
  const [seconds, setSeconds] = useState('30');
  const [pinned, setPinned] = useState<string | null>(null);
  const timeoutMs = parseTimeout(seconds);
  const requestId = pinned !== null && isUuid(pinned) ? pinned : null;
  const [options, setOptions] = useState(NO_OPTIONS);
  const deadlineAtMs = options.deadline === null ? null : parseDeadline(options.deadline);
  const [broken, setBroken] = useState<Broken>(UNBROKEN);
  const prepared = usePrepared({
    ...of,
    tool,
    argsText: draft.text,
    timeoutMs: timeoutMs ?? 30_000,
    requestId,
    deadlineAtMs,
    autoRetry: options.retries === 0 ? null : { max: options.retries },
    ...(broken.deliberate.length === 0 ? {} : { deliberate: [...broken.deliberate] }),
    ...(broken.times === 1 ? {} : { times: broken.times }),
  });
  const schema = useMemo(
    () => (detail.inputSchema === null ? NO_SCHEMA : guardSchema(detail.inputSchema)),
    [detail.inputSchema],
  );
  const calls = useCalls(of);
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [overtaken, setOvertaken] = useState(false);
  const [failure, setFailure] = useState<Problem | null>(null);
  const [selected, setSelected] = useState<string | null>(null);
  const [unapplied, setUnapplied] = useState(false);
  const deadlineValid = options.deadline === null || deadlineAtMs !== null;
  const inputsValid = timeoutMs !== null && deadlineValid && (pinned === null || requestId !== null) && !unapplied;

  const send = (call: PreparedCall, confirmed: boolean, force: boolean) => {
    setAsking(false);
    setFailure(null);
    setSelected(null);
    client.calls.run({ preparedId: call.id, confirmed, force }).then(
      () => undefined,
      (error: unknown) => setFailure(problemOf(error)),
    );
    prepared.next();
  };
  const run = async () => {
    if (!inputsValid || busy || asking) return;
    setBusy(true);
    const call = await prepared.ensure().finally(() => setBusy(false));
    setOvertaken(call === null);
    if (call === null) return;
    if (call.hasEffect || call.refusals.length > 0) setAsking(true);
    else send(call, false, false);
  };
  // An answer may have settled what the preview refuses (v2 4.1).
  const settled = Math.max(0, ...(calls.value ?? []).map(({ endedAtMs }) => endedAtMs ?? 0));
  const isOpen = prepared.prepared?.refusals.some(({ code }) => code === 'outcome-still-open') ?? false;
  const { next } = prepared;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each end of a call
  useEffect(() => {
    if (isOpen && !asking) next();
  }, [settled, next]);
  const running = (calls.value ?? []).find((call) => call.endedAtMs === null && call.prepared.draft.tool === tool);
  const cancel = (call: CallRecord) => {
    client.calls.cancel({ callId: call.id }).catch((error: unknown) => setFailure(problemOf(error)));
  };
  const negotiate = () => {
    client.sessions.negotiate(of).then(
      () => prepared.next(),
      (error: unknown) => setFailure(problemOf(error)),
    );
  };
  const cancelNewest = () => (running === undefined ? undefined : cancel(running));
  useRunKeys(() => void run(), cancelNewest);

  return (
    <div className="composer">
      <section className="composer-left" aria-label={t('uiComposer.request')}>
        <ArgsArea
          of={of}
          detail={detail}
          draft={draft}
          schema={schema.schema}
          preparation={prepared}
          onRun={() => void run()}
          onEscape={cancelNewest}
          onUnapplied={setUnapplied}
        />
        <Notes detail={detail} schema={schema} draftProblem={draft.problem} />
        <div className="composer-run">
          <label className="row" title={t('uiComposer.timeoutHelp')}>
            <span className="sub">{t('uiComposer.timeout')}</span>
            <input
              className="text-input num"
              style={{ width: 58 }}
              value={seconds}
              inputMode="decimal"
              aria-invalid={timeoutMs === null}
              onChange={(event) => setSeconds(event.target.value)}
            />
            <span className="dim">s</span>
          </label>
          {pinned === null && prepared.prepared?.requestId == null ? null : (
            <RequestId pinned={pinned} next={prepared.prepared?.requestId ?? null} onChange={setPinned} />
          )}
          <span className="grow" />
          <span className="row">
            <SaveCall
              tool={tool}
              argsText={draft.text}
              timeoutMs={timeoutMs ?? 30_000}
              prepared={prepared.pending ? null : prepared.prepared}
              calls={calls.value ?? []}
            />
            <Button
              act
              look="primary"
              icon="play"
              disabled={!inputsValid || busy}
              onClick={() => void run()}
              title={t('uiComposer.runHelp')}
            >
              {prepared.prepared !== null && prepared.prepared.refusals.length > 0 && !prepared.pending
                ? t('uiComposer.runAnyway')
                : t('uiComposer.run')}
              <kbd>{RUN_KEY}</kbd>
            </Button>
          </span>
        </div>
        {prepared.prepared?.protocol === 'v2' ? <CallOptionsRow options={options} onChange={setOptions} /> : null}
        {deadlineValid ? null : (
          <p className="fine tone-bad toned composer-invalid">{t('uiRetries.deadlineInvalid')}</p>
        )}
        <BreakOnPurpose
          protocol={prepared.prepared?.protocol ?? (detail.row.annotations === null ? 'v1' : 'v2')}
          broken={broken}
          onChange={setBroken}
        />
        {overtaken && prepared.problem === null ? (
          <p className="fine tone-warn toned composer-invalid" role="alert">
            {t('uiComposer.overtaken')}
          </p>
        ) : null}
        {unapplied ? <p className="fine tone-bad toned composer-invalid">{t('uiForm.unapplied')}</p> : null}
        {timeoutMs === null ? (
          <p className="fine tone-bad toned composer-invalid">{t('uiComposer.timeoutInvalid')}</p>
        ) : null}
        {pinned !== null && requestId === null ? (
          <p className="fine tone-bad toned composer-invalid">{t('uiComposer.requestIdInvalid')}</p>
        ) : null}
        <Lower preparation={prepared} detail={detail} onNegotiate={negotiate} />
      </section>
      <CallColumn
        of={of}
        tool={tool}
        calls={calls}
        failure={failure}
        selected={selected}
        onSelect={setSelected}
        onCancel={cancel}
        onRetry={(call) => {
          draft.setText(call.prepared.draft.argsText);
          setPinned(call.prepared.requestId);
        }}
      />
      {asking && prepared.prepared !== null ? (
        <ConfirmDialog
          prepared={prepared.prepared}
          annotations={detail.row.annotations}
          onCancel={() => setAsking(false)}
          onConfirm={(call) => send(call, call.hasEffect, call.refusals.length > 0)}
        />
      ) : null}
    </div>
  );
}

function Notes({
  detail,
  schema,
  draftProblem,
}: {
  readonly detail: ToolDetail;
  readonly schema: GuardedSchema;
  readonly draftProblem: Problem | null;
}) {
  const { t } = useI18n();
  return (
    <div className="composer-notes">
      {draftProblem === null ? null : (
        <ProblemView problem={draftProblem} tone="warn" title={t('uiComposer.draftNotSaved')} />
      )}
      {detail.exampleProblem === null ? null : (
        <ProblemView problem={detail.exampleProblem} tone="info" icon="info" title={t('uiComposer.noExample')} />
      )}
      {schema.notes.length === 0 ? null : (
        <ul className="fine dim">
          {schema.notes.map((note) => (
            <li key={note}>{t(`uiComposer.guard.${note}`)}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

function RequestId({
  pinned,
  next,
  onChange,
}: {
  readonly pinned: string | null;
  readonly next: string | null;
  readonly onChange: (value: string | null) => void;
}) {
  const { t } = useI18n();
  return (
    <span className="row">
      <label className="row" title={t('uiComposer.requestIdHelp')}>
        <input
          type="checkbox"
          checked={pinned !== null}
          onChange={(event) => onChange(event.target.checked ? (next ?? '') : null)}
        />
        <span className="sub nowrap">{t('uiComposer.pinRequestId')}</span>
      </label>
      {pinned === null ? null : (
        <input
          className="text-input mono"
          style={{ width: 230 }}
          value={pinned}
          aria-label="request_id"
          aria-invalid={!isUuid(pinned)}
          spellCheck={false}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </span>
  );
}

/** Run and cancel by key from anywhere on the page; inside the editor Monaco sends the same. */
function useRunKeys(run: () => void, cancel: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const target = event.target instanceof HTMLElement ? event.target : null;
      if (target?.closest('.composer-editor, dialog') != null) return;
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) run();
      if (event.key === 'Escape') cancel();
    };
    // Before the editor sees it, too: a held key runs once.
    const onRepeat = (event: KeyboardEvent) => {
      if (!event.repeat || event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener('keydown', onRepeat, { capture: true });
    window.addEventListener('keydown', onKey);
    return () => {
      window.removeEventListener('keydown', onRepeat, { capture: true });
      window.removeEventListener('keydown', onKey);
    };
  });
}
