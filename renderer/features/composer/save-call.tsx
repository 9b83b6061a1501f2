import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { visibleText } from '../../../shared/base/visible-text.ts';
import { NO_EXPECTATIONS } from '../../../shared/collections/call-file.ts';
import { fileNameFor } from '../../../shared/collections/file-names.ts';
import { variablesIn } from '../../../shared/collections/variables.ts';
import type { CallRecord, PreparedCall } from '../../../shared/model/call.ts';
import type { Expectations } from '../../../shared/model/collection.ts';
import type { Problem } from '../../../shared/model/problem.ts';
import { useClient, useOrpc } from '../../connection/context.tsx';
import { problemOf } from '../../connection/problem-of.ts';
import { ProblemView } from '../../parts/problem-view.tsx';
import { useI18n } from '../../ui/i18n.tsx';
import { SafeText } from '../../ui/safe-text.tsx';
import { Button, Dialog, Note } from '../../ui/widgets.tsx';

/** "Save call…": the arguments as they are in the editor, into a folder that the user opened. */
export function SaveCall({
  tool,
  argsText,
  timeoutMs,
  prepared,
  calls,
}: {
  readonly tool: string;
  readonly argsText: string;
  readonly timeoutMs: number;
  readonly prepared: PreparedCall | null;
  readonly calls: readonly CallRecord[];
}) {
  const { t } = useI18n();
  const [open, setOpen] = useState(false);
  const last = calls.find(
    ({ prepared: { draft }, outcome }) => draft.tool === tool && draft.argsText === argsText && outcome !== null,
  );
  return (
    <>
      <Button small look="quiet" icon="pin" disabled={prepared === null} onClick={() => setOpen(true)}>
        {t('uiSaved.saveCall')}
      </Button>
      {open && prepared !== null ? (
        <SaveDialog {...{ tool, argsText, timeoutMs, prepared }} last={last ?? null} onClose={() => setOpen(false)} />
      ) : null}
    </>
  );
}

function SaveDialog({
  tool,
  argsText,
  timeoutMs,
  prepared,
  last,
  onClose,
}: {
  readonly tool: string;
  readonly argsText: string;
  readonly timeoutMs: number;
  readonly prepared: PreparedCall;
  /** The newest call of these arguments that has ended: its end is what is offered as expected. */
  readonly last: CallRecord | null;
  readonly onClose: () => void;
}) {
  const { t } = useI18n();
  const client = useClient();
  const orpc = useOrpc();
  const list = useQuery({ ...orpc.collections.list.queryOptions(), staleTime: 0 });
  const [chosen, setChosen] = useState<string | null>(null);
  const [path, setPath] = useState('');
  const [name, setName] = useState('');
  const [asVariables, setAsVariables] = useState(true);
  const [allowEffects, setAllowEffects] = useState(false);
  const [failure, setFailure] = useState<Problem | null>(null);
  const [saved, setSaved] = useState<{ readonly folder: string; readonly file: string } | null>(null);
  const variables = variablesIn(argsText);
  const force = prepared.argsVerdict.state === 'invalid' || prepared.refusals.length > 0;
  const folder = chosen ?? list.data?.at(-1)?.folder ?? null;
  const file = fileNameFor(name === '' ? tool : name);
  const expect = expectedOf(last);

  const save = async () => {
    setFailure(null);
    try {
      const target = folder ?? (await client.collections.open({ path: path.trim(), remember: true })).folder;
      await client.collections.save({
        folder: target,
        file,
        before: null,
        call: {
          name: name === '' ? null : name,
          provider: prepared.authority,
          tool,
          device: null,
          argsText,
          variables: variables.length === 0 || asVariables,
          timeoutMs: timeoutMs === 30_000 ? null : timeoutMs,
          allowEffects: prepared.hasEffect && allowEffects,
          force,
          expect,
        },
      });
      setSaved({ folder: target, file });
    } catch (error) {
      setFailure(problemOf(error));
    }
  };
  if (saved !== null) {
    const query = new URLSearchParams(saved).toString();
    return (
      <Dialog
        title={t('uiSaved.savedTitle')}
        onClose={onClose}
        footer={
          <Button data-autofocus look="primary" onClick={onClose}>
            {t('common.close')}
          </Button>
        }
      >
        <p className="mono anywhere">
          <SafeText text={`${saved.folder}/${saved.file}`} limit={400} />
        </p>
        <p>
          <a className="link" href={`#/saved?${query}`}>
            {t('uiSaved.toSaved')}
          </a>
        </p>
      </Dialog>
    );
  }
  return (
    <Dialog
      title={t('uiSaved.saveTitle')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button look="primary" disabled={folder === null && path.trim() === ''} onClick={() => void save()}>
            {t('uiSaved.save')}
          </Button>
        </>
      }
    >
      <div className="stack">
        <label className="stack-s">
          <span>{t('uiSaved.name')}</span>
          <input
            className="text-input"
            data-autofocus
            value={name}
            maxLength={200}
            placeholder={visibleText(tool)}
            onChange={(event) => setName(event.target.value)}
          />
        </label>
        {folder === null ? (
          <label className="stack-s">
            <span>{t('uiSaved.path')}</span>
            <input
              className="text-input mono"
              value={path}
              spellCheck={false}
              placeholder="~/project/calls"
              onChange={(event) => setPath(event.target.value)}
            />
          </label>
        ) : (
          <label className="stack-s">
            <span>{t('uiSaved.folder')}</span>
            <select className="select mono" value={folder} onChange={(event) => setChosen(event.target.value)}>
              {(list.data ?? []).map((one) => (
                <option key={one.folder} value={one.folder}>
                  {visibleText(one.folder)}
                </option>
              ))}
            </select>
          </label>
        )}
        <p className="dim fine">
          {t('uiSaved.file')}: <span className="mono">{visibleText(file)}</span>
        </p>
        <p className="sub">
          {t('uiSaved.expects')} {t(`uiComposer.outcome.${expect.outcome ?? 'success'}`)}{' '}
          {expect.errorCode === null ? null : (
            <span className="mono">
              <SafeText text={expect.errorCode} limit={80} />
            </span>
          )}
          {expect.outputSchema ? ` · ${t('savedCheck.output-schema')}` : ''}
          {last === null ? ` (${t('uiSaved.notRunYet')})` : ''}
        </p>
        {variables.length === 0 ? null : (
          <label className="row">
            <input type="checkbox" checked={asVariables} onChange={(event) => setAsVariables(event.target.checked)} />
            <span>
              {t('uiSaved.asVariables')} <span className="mono">{variables.slice(0, 10).join(', ')}</span>
            </span>
          </label>
        )}
        {prepared.hasEffect ? (
          <label className="row">
            <input type="checkbox" checked={allowEffects} onChange={(event) => setAllowEffects(event.target.checked)} />
            <span>{t('uiSaved.allowEffects')}</span>
          </label>
        ) : null}
        {force ? (
          <Note tone="own" icon="shield">
            {t('uiSaved.savedForced')}
          </Note>
        ) : null}
        {failure === null ? null : <ProblemView problem={failure} alert />}
      </div>
    </Dialog>
  );
}

/** What came last is what is expected; an end without an answer is not. */
function expectedOf(last: CallRecord | null): Expectations {
  const outcome = last?.outcome ?? null;
  if (outcome?.kind === 'provider-error')
    return { ...NO_EXPECTATIONS, outcome: outcome.kind, errorCode: outcome.errorCode };
  if (outcome?.kind === 'accepted') return { ...NO_EXPECTATIONS, outcome: outcome.kind };
  const valid = outcome?.kind === 'success' && outcome.outputVerdict.state === 'valid';
  return { ...NO_EXPECTATIONS, outcome: 'success', outputSchema: valid };
}
