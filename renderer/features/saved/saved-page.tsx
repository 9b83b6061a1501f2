import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Collection } from '../../../shared/model/collection.ts';
import type { Problem } from '../../../shared/model/problem.ts';
import { useClient, useOrpc } from '../../connection/context.tsx';
import { problemOf } from '../../connection/problem-of.ts';
import { type OnDevice, useDevices } from '../../connection/streams.ts';
import { ProblemView } from '../../parts/problem-view.tsx';
import { useI18n } from '../../ui/i18n.tsx';
import { currentQuery, replaceQuery } from '../../ui/location.ts';
import { PageHead } from '../../ui/page.tsx';
import { SafeText } from '../../ui/safe-text.tsx';
import { Blank, Button, Dialog, Loading } from '../../ui/widgets.tsx';
import { CallView } from './call-view.tsx';
import { EnvironmentCard } from './environment-card.tsx';
import { OpenFolder } from './open-folder.tsx';
import { RunBar } from './run-bar.tsx';
import { SavedList } from './saved-list.tsx';
import { useRun } from './use-run.ts';
import './saved.css';

/** Saved calls: folders that the user opened, their calls, and runs of them. */
export function SavedPage() {
  const { t } = useI18n();
  const orpc = useOrpc();
  const client = useClient();
  const list = useQuery({ ...orpc.collections.list.queryOptions(), staleTime: 0 });
  const [chosen, setChosen] = useState<string | null>(() => currentQuery().get('folder'));
  const [file, setFile] = useState<string | null>(() => currentQuery().get('file'));
  const [opening, setOpening] = useState(false);
  const [failure, setFailure] = useState<Problem | null>(null);
  const folders = list.data ?? [];
  const folder = folders.find((one) => one.folder === chosen)?.folder ?? folders.at(-1)?.folder ?? null;
  useEffect(() => replaceQuery({ folder: folder ?? '', file: file ?? '' }), [folder, file]);
  const close = (path: string) => {
    client.collections.close({ folder: path }).then(
      () => list.refetch(),
      (error: unknown) => setFailure(problemOf(error)),
    );
  };
  return (
    <div className="page">
      <PageHead
        title={t('uiSaved.title')}
        actions={
          folder === null ? undefined : (
            <>
              <Button icon="plus" onClick={() => setOpening(true)}>
                {t('uiSaved.openFolder')}
              </Button>
              <Button look="quiet" icon="cross" onClick={() => close(folder)}>
                {t('uiSaved.closeFolder')}
              </Button>
            </>
          )
        }
      />
      {failure === null ? null : <ProblemView problem={failure} alert />}
      {list.error === null ? null : <ProblemView problem={problemOf(list.error)} alert />}
      {list.data === undefined ? (
        <Loading />
      ) : folder === null ? (
        <Blank icon="box" title={t('uiSaved.none')}>
          <p>{t('uiSaved.noneHelp')}</p>
          <Button look="primary" icon="plus" onClick={() => setOpening(true)}>
            {t('uiSaved.openFolder')}
          </Button>
        </Blank>
      ) : (
        <Folder
          key={folder}
          folder={folder}
          folders={folders.map((one) => one.folder)}
          file={file}
          onFolder={(next) => {
            setChosen(next);
            setFile(null);
          }}
          onFile={setFile}
        />
      )}
      {opening ? (
        <OpenFolder
          onClose={() => setOpening(false)}
          onOpened={(opened) => {
            setOpening(false);
            setChosen(opened);
            setFile(null);
            void list.refetch();
          }}
        />
      ) : null}
    </div>
  );
}

function Folder({
  folder,
  folders,
  file,
  onFolder,
  onFile,
}: {
  readonly folder: string;
  readonly folders: readonly string[];
  readonly file: string | null;
  readonly onFolder: (folder: string) => void;
  readonly onFile: (file: string | null) => void;
}) {
  const { t } = useI18n();
  const orpc = useOrpc();
  const client = useClient();
  // The files belong to the disk: they are read again at each look.
  const read = useQuery({
    ...orpc.collections.read.queryOptions({ input: { folder } }),
    staleTime: 0,
    refetchOnWindowFocus: true,
  });
  const run = useRun();
  const device = useRunDevice();
  const [asking, setAsking] = useState<{ readonly files: string[] | null } | null>(null);
  const collection: Collection | undefined = read.data;
  const entries = collection?.entries ?? [];
  const selected = entries.find((entry) => entry.file === file) ?? entries[0];
  // At once: a run right after the choice is a run with it.
  const [picked, setPicked] = useState<string | null | undefined>(undefined);
  const environment = picked === undefined ? (collection?.environment ?? null) : picked;
  const mayChange = (files: readonly string[] | null) =>
    entries.filter((entry) => entry.call?.allowEffects === true && (files === null || files.includes(entry.file)));
  const start = (files: string[] | null, confirmed: boolean) => {
    setAsking(null);
    void run.start({ folder, files, environment, device: device.on, confirmed });
  };
  const ask = (files: string[] | null) => (mayChange(files).length > 0 ? setAsking({ files }) : start(files, false));
  const choose = (name: string | null) => {
    setPicked(name);
    // Only to be remembered; one that is gone is refused by the run.
    client.collections.selectEnvironment({ folder, environment: name }).catch(() => undefined);
  };
  const shown = collection?.environments.find(({ name }) => name === environment);
  return (
    <>
      <RunBar
        folder={folder}
        folders={folders}
        collection={collection}
        run={run.state}
        device={device}
        onFolder={onFolder}
        environment={environment}
        onEnvironment={choose}
        onReload={() => void read.refetch()}
        onRunAll={() => ask(null)}
        onCancel={run.cancel}
      />
      {read.error === null ? null : <ProblemView problem={problemOf(read.error)} alert />}
      {(collection?.problems ?? []).map((problem) => (
        <ProblemView key={problem.code} problem={problem} tone="warn" />
      ))}
      {run.state.problem === null ? null : (
        <ProblemView problem={run.state.problem} title={t('uiSaved.runFailed')} alert />
      )}
      {collection === undefined ? (
        read.error === null ? (
          <Loading />
        ) : null
      ) : selected === undefined ? (
        <Blank icon="list" title={t('uiSaved.empty')}>
          <p>{t('uiSaved.emptyHelp')}</p>
        </Blank>
      ) : (
        <div className="saved">
          <nav className="saved-side" aria-label={t('uiSaved.calls')}>
            <SavedList entries={entries} run={run.state} selected={selected.file} onSelect={onFile} />
          </nav>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
          <section className="saved-main stack" aria-label={t('uiSaved.call')} tabIndex={0}>
            <CallView
              key={selected.file}
              folder={folder}
              entry={selected}
              environment={environment}
              device={device.on}
              run={run.state}
              onRun={() => ask([selected.file])}
              onChanged={() => {
                onFile(null);
                void read.refetch();
              }}
            />
            {shown === undefined ? null : (
              <EnvironmentCard folder={folder} environment={shown} onChanged={() => void read.refetch()} />
            )}
          </section>
        </div>
      )}
      {asking === null ? null : (
        <Dialog
          title={t('uiSaved.confirmTitle')}
          onClose={() => setAsking(null)}
          footer={
            <>
              <Button data-autofocus onClick={() => setAsking(null)}>
                {t('common.cancel')}
              </Button>
              <Button act look="danger" icon="play" onClick={() => start(asking.files, true)}>
                {t('uiSaved.confirmRun')}
              </Button>
            </>
          }
        >
          <p>{t('uiSaved.confirmText', { count: mayChange(asking.files).length })}</p>
          <ul className="stack-s">
            {mayChange(asking.files).map(({ file: name, call }) => (
              <li key={name}>
                <span className="mono strong">
                  <SafeText text={call?.tool ?? ''} limit={120} fixed />
                </span>{' '}
                <span className="mono dim fine">
                  <SafeText text={name} limit={160} fixed />
                </span>
              </li>
            ))}
          </ul>
        </Dialog>
      )}
    </>
  );
}

export interface RunDevice {
  readonly on: OnDevice | null;
  readonly key: string;
  readonly options: readonly { readonly key: string; readonly label: string }[];
  readonly choose: (key: string) => void;
}

/** The device for calls that name none; empty is "the only one that is ready". */
function useRunDevice(): RunDevice {
  const { value } = useDevices();
  const [key, choose] = useState('');
  const ready = (value?.devices ?? []).filter(({ state }) => state === 'device');
  const known = ready.some((device) => device.key === key) ? key : '';
  return {
    on: known === '' ? null : { deviceKey: known, userId: null },
    key: known,
    options: ready.map((device) => ({ key: device.key, label: `${device.model ?? device.serial} (${device.serial})` })),
    choose,
  };
}
