import { visibleText } from '../../../shared/base/visible-text.ts';
import type { Collection } from '../../../shared/model/collection.ts';
import { useI18n } from '../../ui/i18n.tsx';
import { Button } from '../../ui/widgets.tsx';
import type { RunDevice } from './saved-page.tsx';
import type { RunState } from './use-run.ts';

/** Folder, environment and device of a run, and the run itself. */
export function RunBar({
  folder,
  folders,
  collection,
  run,
  device,
  environment,
  onFolder,
  onEnvironment,
  onReload,
  onRunAll,
  onCancel,
}: {
  readonly folder: string;
  readonly folders: readonly string[];
  readonly collection: Collection | undefined;
  readonly run: RunState;
  readonly device: RunDevice;
  readonly environment: string | null;
  readonly onFolder: (folder: string) => void;
  readonly onEnvironment: (name: string | null) => void;
  readonly onReload: () => void;
  readonly onRunAll: () => void;
  readonly onCancel: () => void;
}) {
  const { t } = useI18n();
  const runnable = (collection?.entries ?? []).length > 0 && (collection?.problems ?? []).length === 0;
  return (
    <div className="saved-bar">
      <select
        className="select mono"
        aria-label={t('uiSaved.folder')}
        value={folder}
        disabled={run.running}
        onChange={(event) => onFolder(event.target.value)}
      >
        {folders.map((path) => (
          <option key={path} value={path}>
            {visibleText(path)}
          </option>
        ))}
      </select>
      <select
        className="select"
        aria-label={t('uiSaved.environment')}
        value={environment ?? ''}
        disabled={run.running || collection === undefined}
        onChange={(event) => onEnvironment(event.target.value === '' ? null : event.target.value)}
      >
        <option value="">{t('uiSaved.noEnvironment')}</option>
        {(collection?.environments ?? []).map(({ name }) => (
          <option key={name} value={name}>
            {visibleText(name)}
          </option>
        ))}
      </select>
      <select
        className="select"
        aria-label={t('uiSaved.device')}
        value={device.key}
        disabled={run.running}
        onChange={(event) => device.choose(event.target.value)}
      >
        <option value="">{t('uiSaved.onlyDevice')}</option>
        {device.options.map(({ key, label }) => (
          <option key={key} value={key}>
            {visibleText(label)}
          </option>
        ))}
      </select>
      <Button look="quiet" icon="refresh" disabled={run.running} onClick={onReload}>
        {t('uiSaved.reload')}
      </Button>
      <span className="grow" />
      <span className="fine num" role="status">
        {run.running
          ? t('uiSaved.progress', { done: run.total === 0 ? 0 : doneOf(run, collection), total: run.total })
          : run.totals === null
            ? ''
            : t(run.cancelled ? 'uiSaved.cancelledTotals' : 'cli.runTotals', { ...run.totals })}
      </span>
      {run.running ? (
        <Button act icon="cross" disabled={run.runId === null} onClick={onCancel}>
          {t('uiSaved.cancelRun')}
        </Button>
      ) : (
        <Button act look="primary" icon="play" disabled={!runnable} onClick={onRunAll}>
          {t('uiSaved.runAll')}
        </Button>
      )}
    </div>
  );
}

/** How many of this run have ended: results of its files are cleared at its start. */
function doneOf(run: RunState, collection: Collection | undefined): number {
  const count = (collection?.entries ?? []).filter(({ file }) => run.results.has(file)).length;
  return Math.min(count, run.total);
}
