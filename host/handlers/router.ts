import { implement } from '@orpc/server';
import { contract } from '../../shared/contract/contract.ts';
import { eventsAsTheyHappen } from './event-stream.ts';
import { guarded, guardedStream } from './problems.ts';
import { resultHandlers } from './results.ts';
import type { HostServices, OfProvider } from './services.ts';

const os = implement(contract);

/** Every command of the contract, typed as the contract: a missing one does not compile. */
export function createRouter(services: HostServices) {
  const { journal, devices, companion, providers, sessions, collections } = services;
  return os.router({
    app: {
      info: os.app.info.handler(() => guarded(() => services.info())),
      startDemo: os.app.startDemo.handler(() => guarded(() => services.startDemo())),
      getSettings: os.app.getSettings.handler(() => guarded(() => journal.settings())),
      putSetting: os.app.putSetting.handler(({ input }) => guarded(() => journal.putSetting(input.key, input.value))),
    },
    demo: {
      screen: os.demo.screen.handler(({ signal }) => guardedStream((s) => services.demo.screen(s), signal)),
      answer: os.demo.answer.handler(({ input }) =>
        guarded(() => services.demo.answer(input.promptId, input.decision)),
      ),
    },
    devices: {
      watch: os.devices.watch.handler(({ signal }) => guardedStream((s) => devices.watch(s), signal)),
      addServer: os.devices.addServer.handler(({ input }) =>
        guarded(async () => ({ serverId: await devices.addServer(input.host, input.port) })),
      ),
      removeServer: os.devices.removeServer.handler(({ input }) => guarded(() => devices.removeServer(input.serverId))),
      connect: os.devices.connect.handler(({ input: { serverId, host, port } }) =>
        guarded(async () => ({ message: await devices.connect(serverId, host, port) })),
      ),
      disconnect: os.devices.disconnect.handler(({ input: { serverId, host, port } }) =>
        guarded(async () => ({ message: await devices.disconnect(serverId, host, port) })),
      ),
      pair: os.devices.pair.handler(({ input: { serverId, host, port, code } }) =>
        guarded(async () => ({ message: await devices.pair(serverId, host, port, code) })),
      ),
      doctor: os.devices.doctor.handler(({ input, signal }) =>
        guardedStream((s) => devices.doctor(input.deviceKey, s), signal),
      ),
    },
    companion: {
      watch: os.companion.watch.handler(({ input, signal }) => guardedStream((s) => companion.watch(input, s), signal)),
      install: os.companion.install.handler(({ input }) => guarded(() => companion.install(input))),
      uninstall: os.companion.uninstall.handler(({ input }) => guarded(() => companion.uninstall(input))),
      connect: os.companion.connect.handler(({ input }) => guarded(() => companion.connect(input))),
    },
    providers: {
      watch: os.providers.watch.handler(({ input, signal }) => guardedStream((s) => providers.watch(input, s), signal)),
      refresh: os.providers.refresh.handler(({ input }) => guarded(() => providers.refresh(input))),
    },
    sessions: {
      watch: os.sessions.watch.handler(({ input, signal }) =>
        guardedStream((s) => sessions.watchSession(input, s), signal),
      ),
      negotiate: os.sessions.negotiate.handler(({ input }) => guarded(() => sessions.negotiate(input, input.offer))),
      list: os.sessions.list.handler(({ input }) => guarded(() => sessions.listSessions(input))),
      drop: os.sessions.drop.handler(({ input }) => guarded(() => sessions.dropSession(input))),
    },
    catalog: {
      get: os.catalog.get.handler(({ input }) => guarded(() => sessions.catalog(input, input.refresh))),
      diff: os.catalog.diff.handler(({ input }) => guarded(() => sessions.catalogDiff(input))),
      tool: os.catalog.tool.handler(({ input }) => guarded(() => sessions.tool(input, input.index))),
      generate: os.catalog.generate.handler(({ input }) =>
        guarded(() => sessions.generate(input, input.index, input.mode)),
      ),
    },
    calls: {
      prepare: os.calls.prepare.handler(({ input }) => guarded(() => sessions.prepare(input))),
      run: os.calls.run.handler(({ input }) => guarded(() => sessions.run(input))),
      cancel: os.calls.cancel.handler(({ input }) => guarded(() => ({ cancelled: sessions.cancel(input.callId) }))),
      retry: os.calls.retry.handler(({ input }) => guarded(() => sessions.retry(input))),
      stopRetry: os.calls.stopRetry.handler(({ input }) =>
        guarded(() => ({ stopped: sessions.stopRetry(input.callId) })),
      ),
      resume: os.calls.resume.handler(({ input }) =>
        guarded(() => sessions.prepareResume(input.callId, input.deliberate)),
      ),
      watch: os.calls.watch.handler(({ input, signal }) => guardedStream((s) => sessions.watchCalls(input, s), signal)),
      queue: os.calls.queue.handler(({ input, signal }) => guardedStream((s) => sessions.watchQueue(input, s), signal)),
      getDraft: os.calls.getDraft.handler(({ input }) =>
        guarded(() => ({ argsText: journal.getDraft(draftKey(input, input.tool)) })),
      ),
      putDraft: os.calls.putDraft.handler(({ input }) =>
        guarded(() => journal.putDraft(draftKey(input, input.tool), input.argsText)),
      ),
    },
    confirmations: {
      watch: os.confirmations.watch.handler(({ signal }) =>
        guardedStream((s) => sessions.watchConfirmations(s), signal),
      ),
      launch: os.confirmations.launch.handler(({ input }) =>
        guarded(() => sessions.launchConfirmation(input.callId, input.confirmed)),
      ),
      confirm: os.confirmations.confirm.handler(({ input }) =>
        guarded(() => sessions.confirm(input.callId, input.confirmed)),
      ),
      stop: os.confirmations.stop.handler(({ input }) =>
        guarded(() => ({ stopped: sessions.stopConfirmation(input.callId) })),
      ),
      setAside: os.confirmations.setAside.handler(({ input }) =>
        guarded(() => sessions.setAsideConfirmation(input.callId)),
      ),
    },
    operations: {
      watch: os.operations.watch.handler(({ signal }) => guardedStream((s) => sessions.watchOperations(s), signal)),
      poll: os.operations.poll.handler(({ input }) => guarded(() => sessions.pollOperation(input.callId))),
      follow: os.operations.follow.handler(({ input }) =>
        guarded(() => sessions.followOperation(input.callId, input.follow)),
      ),
      cancel: os.operations.cancel.handler(({ input }) => guarded(() => sessions.cancelOperation(input.callId))),
    },
    collections: {
      list: os.collections.list.handler(() => guarded(() => collections.list())),
      open: os.collections.open.handler(({ input }) => guarded(() => collections.open(input.path, input.remember))),
      close: os.collections.close.handler(({ input }) => guarded(() => collections.close(input.folder))),
      read: os.collections.read.handler(({ input }) => guarded(() => collections.read(input.folder))),
      save: os.collections.save.handler(({ input: { folder, file, call, before } }) =>
        guarded(() => collections.save(folder, file, call, before)),
      ),
      remove: os.collections.remove.handler(({ input: { folder, file, before } }) =>
        guarded(() => collections.remove(folder, file, before)),
      ),
      selectEnvironment: os.collections.selectEnvironment.handler(({ input: { folder, environment } }) =>
        guarded(() => collections.selectEnvironment(folder, environment)),
      ),
      putSecret: os.collections.putSecret.handler(({ input: { folder, environment, name, value } }) =>
        guarded(() => collections.putSecret(folder, environment, name, value)),
      ),
      run: os.collections.run.handler(({ input, signal }) => guardedStream((s) => collections.run(input, s), signal)),
      cancel: os.collections.cancel.handler(({ input }) =>
        guarded(() => ({ cancelled: collections.cancel(input.runId) })),
      ),
      locate: os.collections.locate.handler(({ input }) => guarded(() => collections.locate(input))),
    },
    results: resultHandlers(services.results),
    history: {
      list: os.history.list.handler(({ input }) => guarded(() => journal.history(input))),
      events: os.history.events.handler(({ input }) => guarded(() => journal.events(input.exchangeId))),
      follow: os.history.follow.handler(({ input, signal }) =>
        guardedStream((s) => eventsAsTheyHappen(journal, input.afterSeq, s), signal),
      ),
      watch: os.history.watch.handler(({ signal }) => guardedStream((s) => watchSeq(journal, s), signal)),
    },
  });
}

export type HostRouter = ReturnType<typeof createRouter>;

/** A draft belongs to a Provider's tool on whatever device: the same app on another phone has it too. */
function draftKey({ providerKey }: OfProvider, tool: string): string {
  return JSON.stringify([providerKey, tool]);
}

/** The newest seq, again as the journal grows; a burst gives one value. */
async function* watchSeq(journal: HostServices['journal'], signal: AbortSignal): AsyncGenerator<{ lastSeq: number }> {
  let wake = Promise.withResolvers<void>();
  const stop = journal.subscribe(() => wake.resolve());
  signal.addEventListener('abort', () => wake.resolve(), { once: true });
  try {
    while (!signal.aborted) {
      wake = Promise.withResolvers<void>();
      yield { lastSeq: journal.lastSeq() };
      await wake.promise;
    }
  } finally {
    stop();
  }
}
