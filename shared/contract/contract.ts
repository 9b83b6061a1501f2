import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { CallDraft, CallRecord, GeneratedArgs, GenerateMode, PreparedCall } from '../model/call.ts';
import { Catalog, ToolDetail } from '../model/catalog.ts';
import { CatalogDiff } from '../model/catalog-diff.ts';
import { Collection, RunEvent, SavedCall, SavedCallEntry } from '../model/collection.ts';
import { Confirmation } from '../model/confirmation.ts';
import { DemoDecision, DemoPrompt } from '../model/demo.ts';
import { Deviation } from '../model/deviation.ts';
import { CompanionStatus, DeviceSnapshot, DoctorCheck } from '../model/device.ts';
import { HistoryRow, JournalEvent } from '../model/event.ts';
import { Operation } from '../model/operation.ts';
import { Problem } from '../model/problem.ts';
import { ProviderSnapshot } from '../model/provider.ts';
import { RequestQueue } from '../model/queue.ts';
import { Session, SessionOffer } from '../model/session.ts';
import { results } from './results.ts';

/**
 * Every command and stream between the host and its shells. It never grows
 * generic power: no exec, no file system, no raw ipc. An expected failure is
 * the error `PROBLEM` with a `Problem` as its data.
 */
const base = oc.errors({ PROBLEM: { data: Problem } });

const onDevice = z.object({
  deviceKey: z.string(),
  /** Android user; null is the current one. */
  userId: z.number().int().nullable(),
});
const ofProvider = onDevice.extend({ providerKey: z.string() });
const hostPort = z.object({
  serverId: z.string(),
  host: z.string().min(1).max(255),
  port: z.number().int().min(1).max(65535),
});
const inFolder = z.object({ folder: z.string().min(1).max(4_096) });
const inFile = inFolder.extend({ file: z.string().min(1).max(1_000) });
const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);

export const contract = {
  app: {
    info: base.output(
      z.object({
        version: z.string(),
        platform: z.string(),
        journalFile: z.string(),
        hasCompanionApk: z.boolean(),
        demoRunning: z.boolean(),
      }),
    ),
    /** Starts the embedded demo server; its devices appear in `devices.watch`. */
    startDemo: base.output(z.object({ serverId: z.string() })),
    getSettings: base.output(z.record(z.string(), z.string())),
    /** Settings are strings of the shells' own, such as the theme; at most 64 KiB each. */
    putSetting: base.input(z.object({ key: z.string().max(200), value: z.string().max(65_536) })).output(z.void()),
  },
  demo: {
    /** The screens that Providers of the embedded demo devices show to the person in front of them; again at each change. */
    screen: base.output(eventIterator(z.array(DemoPrompt))),
    /** What that person does; `demo-prompt-gone` where the screen is not open any more. Real devices have no such thing. */
    answer: base.input(z.object({ promptId: z.string(), decision: DemoDecision })).output(z.void()),
  },
  devices: {
    /** The full picture, again at each change. */
    watch: base.output(eventIterator(DeviceSnapshot)),
    addServer: base
      .input(z.object({ host: z.string().min(1).max(255), port: z.number().int().min(1).max(65535) }))
      .output(z.object({ serverId: z.string() })),
    removeServer: base.input(z.object({ serverId: z.string() })).output(z.void()),
    connect: base.input(hostPort).output(z.object({ message: z.string() })),
    disconnect: base.input(hostPort).output(z.object({ message: z.string() })),
    pair: base.input(hostPort.extend({ code: z.string().regex(/^\d{6}$/) })).output(z.object({ message: z.string() })),
    /** Each check as it starts and as it ends. */
    doctor: base.input(z.object({ deviceKey: z.string().nullable() })).output(eventIterator(DoctorCheck)),
  },
  companion: {
    watch: base.input(onDevice).output(eventIterator(CompanionStatus)),
    /** Installs, updates or reinstalls it for one user, and connects. A deliberate act. */
    install: base.input(onDevice).output(CompanionStatus),
    /** Removes it for one user. A deliberate act. */
    uninstall: base.input(onDevice).output(CompanionStatus),
    /** Starts an installed companion, also where another inspector took it over. */
    connect: base.input(onDevice).output(CompanionStatus),
  },
  providers: {
    /** The full picture of one device and user, again at each change. */
    watch: base.input(onDevice).output(eventIterator(ProviderSnapshot)),
    refresh: base.input(onDevice).output(z.void()),
  },
  sessions: {
    /** The session in force, or null; again at each change. */
    watch: base.input(ofProvider).output(eventIterator(Session.nullable())),
    /** A new negotiation, ending the one in force. */
    negotiate: base.input(ofProvider.extend({ offer: SessionOffer.nullish() })).output(Session),
    /** Every negotiation with this Provider, newest first, at most 50; earlier runs as the journal tells them. */
    list: base.input(ofProvider).output(z.array(Session)),
    /** Forgets the session in force, and sends nothing; gives the session on show. */
    drop: base.input(ofProvider).output(Session.nullable()),
  },
  catalog: {
    /** Negotiates first where the protocol asks for it and no session is open. */
    get: base.input(ofProvider.extend({ refresh: z.boolean() })).output(Catalog),
    /** What changed between two readings of the list, also over a restart; null where one was read only. Sends nothing. */
    diff: base.input(ofProvider).output(CatalogDiff.nullable()),
    tool: base.input(ofProvider.extend({ index: z.number().int().min(0) })).output(ToolDetail),
    /** Arguments from the tool's input schema, and what the schema says of them. Sends nothing. */
    generate: base
      .input(ofProvider.extend({ index: z.number().int().min(0), mode: GenerateMode }))
      .output(GeneratedArgs),
  },
  calls: {
    /** Fixes request_id, deadline and the exact Bundle. Sends nothing. */
    prepare: base.input(CallDraft).output(PreparedCall),
    /**
     * Sends a prepared call once and answers with its end. `confirmed` is the
     * deliberate act that a tool with effects needs; `force` overrides our own refusals.
     */
    run: base
      .input(z.object({ preparedId: z.string(), confirmed: z.boolean(), force: z.boolean() }))
      .output(CallRecord),
    /** Abandons the wait. The Provider may still act; the record says so. */
    cancel: base.input(z.object({ callId: z.string() })).output(z.object({ cancelled: z.boolean() })),
    /**
     * The same execution again: same request_id, same args, a new deadline; in a new session where none is in force. It
     * ends with the new attempt's record. `retry-too-early`, `retry-not-offered` and `retry-window-over` unless deliberate.
     */
    retry: base
      .input(z.object({ callId: z.string(), confirmed: z.boolean(), deliberate: z.boolean() }))
      .output(CallRecord),
    /** Calls off the automatic retries of a call. */
    stopRetry: base.input(z.object({ callId: z.string() })).output(z.object({ stopped: z.boolean() })),
    /** The execution that a person decided on, prepared like any other call: same request_id, same args (v2 4.3). */
    resume: base
      .input(z.object({ callId: z.string(), deliberate: z.array(Deviation).max(2).optional() }))
      .output(PreparedCall),
    /** Calls of this run for one Provider, newest first, again at each change. */
    watch: base.input(ofProvider).output(eventIterator(z.array(CallRecord))),
    /** The requests to one Provider, under way and waiting, again at each change. */
    queue: base.input(ofProvider).output(eventIterator(RequestQueue)),
    getDraft: base.input(ofProvider.extend({ tool: z.string() })).output(z.object({ argsText: z.string().nullable() })),
    putDraft: base
      .input(ofProvider.extend({ tool: z.string(), argsText: z.string().max(8 * 1024 * 1024) }))
      .output(z.void()),
  },
  confirmations: {
    /** Every call of this run that waits, or waited, for a person, newest first, again at each change. */
    watch: base.output(eventIterator(z.array(Confirmation))),
    /** Opens the Provider's screen on the device and answers when its result came, or did not. A deliberate act. */
    launch: base.input(z.object({ callId: z.string(), confirmed: z.boolean() })).output(Confirmation),
    /** Launch, result, resume, in one deliberate act. `call` is null where nothing was resumed. */
    confirm: base
      .input(z.object({ callId: z.string(), confirmed: z.boolean() }))
      .output(z.object({ confirmation: Confirmation, call: CallRecord.nullable() })),
    /** Stops waiting for the screen's result; the screen may stay open. */
    stop: base.input(z.object({ callId: z.string() })).output(z.object({ stopped: z.boolean() })),
    /** Lets go of the PendingIntent; nothing is sent. */
    setAside: base.input(z.object({ callId: z.string() })).output(Confirmation),
  },
  operations: {
    /** Every background operation of this run, and each that an earlier run left without an end; newest first. */
    watch: base.output(eventIterator(z.array(Operation))),
    /** Asks for the state now; `poll-too-early` before the wait that the Provider asked for is over (v2 4.4). */
    poll: base.input(z.object({ callId: z.string() })).output(Operation),
    /** Goes on asking (also where another host does it now), or stops. Sends nothing by itself. */
    follow: base.input(z.object({ callId: z.string(), follow: z.boolean() })).output(Operation),
    /** Requests a cancel, where it was negotiated; the end is what a later query reports. */
    cancel: base.input(z.object({ callId: z.string() })).output(Operation),
  },
  /** Saved calls in folders that a person opened; the host touches no other folder and no other kind of file. */
  collections: {
    /** Opened for good, oldest first. */
    list: base.output(z.array(inFolder.extend({ environment: z.string().nullable() }))),
    /** The deliberate act for a folder; `remember` keeps it for later runs of the app. */
    open: base.input(z.object({ path: z.string().min(1).max(4_096), remember: z.boolean() })).output(Collection),
    /** Forgets the folder; nothing in it changes. */
    close: base.input(inFolder).output(z.void()),
    read: base.input(inFolder).output(Collection),
    /** `before` null makes a new file; else the file must still have this SHA-256, so that nobody's change is lost. */
    save: base.input(inFile.extend({ call: SavedCall, before: Sha256.nullable() })).output(SavedCallEntry),
    remove: base.input(inFile.extend({ before: Sha256 })).output(z.void()),
    selectEnvironment: base.input(inFolder.extend({ environment: z.string().max(200).nullable() })).output(z.void()),
    /** Keeps the value of a secret beside its environment, left out of git; null takes it away. It is never read back. */
    putSecret: base
      .input(
        inFolder.extend({
          environment: z.string().max(200),
          name: z.string().max(64),
          value: z.string().max(65_536).nullable(),
        }),
      )
      .output(z.void()),
    /**
     * Runs calls one after the other, each step told as it happens. `confirmed` is the deliberate act for those whose
     * files allow effects; without both such a call is not sent.
     */
    run: base
      .input(
        inFolder.extend({
          /** Null: all, in order of file name. */
          files: z.array(z.string().min(1).max(1_000)).max(1_000).nullable(),
          environment: z.string().max(200).nullable(),
          /** Go before the environment's own. */
          vars: z.record(z.string().max(64), z.string().max(65_536)),
          /** For calls that name no device; null is the only one that is ready. */
          device: onDevice.nullable(),
          confirmed: z.boolean(),
          bail: z.boolean(),
        }),
      )
      .output(eventIterator(RunEvent)),
    /** Abandons the call under way and skips the rest; the stream of the run tells it. */
    cancel: base.input(z.object({ runId: z.string() })).output(z.object({ cancelled: z.boolean() })),
    /** Where a saved call would go, for the composer: variables put in, secrets not. */
    locate: base
      .input(inFile.extend({ environment: z.string().max(200).nullable(), device: onDevice.nullable() }))
      .output(ofProvider.extend({ tool: z.string(), toolIndex: z.number(), argsText: z.string() })),
  },
  results,
  history: {
    list: base
      .input(
        z.object({
          search: z.string().max(500),
          /** Rows older than this seq; null for the newest. */
          beforeSeq: z.number().nullable(),
          limit: z.number().int().min(1).max(500),
        }),
      )
      .output(z.object({ rows: z.array(HistoryRow), total: z.number() })),
    events: base.input(z.object({ exchangeId: z.string() })).output(z.array(JournalEvent)),
    /** Each event after a seq as it happens, none left out; null: from now on. */
    follow: base.input(z.object({ afterSeq: z.number().int().min(0).nullable() })).output(eventIterator(JournalEvent)),
    /** The newest seq, again as the journal grows. */
    watch: base.output(eventIterator(z.object({ lastSeq: z.number() }))),
  },
};

export type Contract = typeof contract;
