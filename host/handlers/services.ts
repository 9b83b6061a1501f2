import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract';
import type { Contract } from '../../shared/contract/contract.ts';
import type { CallRecord, GeneratedArgs, GenerateMode, PreparedCall } from '../../shared/model/call.ts';
import type { Catalog, ToolDetail } from '../../shared/model/catalog.ts';
import type { CatalogDiff } from '../../shared/model/catalog-diff.ts';
import type { Confirmation } from '../../shared/model/confirmation.ts';
import type { DemoDecision, DemoPrompt } from '../../shared/model/demo.ts';
import type { Deviation } from '../../shared/model/deviation.ts';
import type { CompanionStatus, DeviceSnapshot, DoctorCheck } from '../../shared/model/device.ts';
import type { Operation } from '../../shared/model/operation.ts';
import type { ProviderSnapshot } from '../../shared/model/provider.ts';
import type { RequestQueue } from '../../shared/model/queue.ts';
import type { Session, SessionOffer } from '../../shared/model/session.ts';
import type { Collections } from '../collections/collections.ts';
import type { Journal } from '../journal/journal.ts';
import type { ResultStore } from '../results/result-store.ts';

export type Inputs = InferContractRouterInputs<Contract>;
export type Outputs = InferContractRouterOutputs<Contract>;

export interface OnDevice {
  readonly deviceKey: string;
  readonly userId: number | null;
}
export interface OfProvider extends OnDevice {
  readonly providerKey: string;
}

/** What the handlers need of the engine. Every expected failure is a `ProblemError`. */
export interface HostServices {
  readonly journal: Journal;
  readonly results: Pick<ResultStore, 'info' | 'read' | 'search' | 'discard'>;
  info(): Outputs['app']['info'];
  startDemo(): Promise<{ serverId: string }>;
  readonly demo: {
    screen(signal: AbortSignal): AsyncIterable<DemoPrompt[]>;
    answer(promptId: string, decision: DemoDecision): void;
  };
  readonly devices: {
    watch(signal: AbortSignal): AsyncIterable<DeviceSnapshot>;
    addServer(host: string, port: number): Promise<string>;
    removeServer(serverId: string): Promise<void>;
    connect(serverId: string, host: string, port: number): Promise<string>;
    disconnect(serverId: string, host: string, port: number): Promise<string>;
    pair(serverId: string, host: string, port: number, code: string): Promise<string>;
    doctor(deviceKey: string | null, signal: AbortSignal): AsyncIterable<DoctorCheck>;
  };
  readonly companion: {
    watch(target: OnDevice, signal: AbortSignal): AsyncIterable<CompanionStatus>;
    install(target: OnDevice): Promise<CompanionStatus>;
    uninstall(target: OnDevice): Promise<CompanionStatus>;
    connect(target: OnDevice): Promise<CompanionStatus>;
  };
  readonly providers: {
    watch(target: OnDevice, signal: AbortSignal): AsyncIterable<ProviderSnapshot>;
    refresh(target: OnDevice): Promise<void>;
  };
  readonly collections: Omit<Collections, 'shutDown'>;
  readonly sessions: {
    watchSession(target: OfProvider, signal: AbortSignal): AsyncIterable<Session | null>;
    negotiate(target: OfProvider, offer?: SessionOffer | null): Promise<Session>;
    listSessions(target: OfProvider): Promise<Session[]>;
    dropSession(target: OfProvider): Promise<Session | null>;
    catalog(target: OfProvider, refresh: boolean): Promise<Catalog>;
    tool(target: OfProvider, index: number): Promise<ToolDetail>;
    catalogDiff(target: OfProvider): Promise<CatalogDiff | null>;
    generate(target: OfProvider, index: number, mode: GenerateMode): Promise<GeneratedArgs>;
    prepare(draft: Inputs['calls']['prepare']): Promise<PreparedCall>;
    run(input: Inputs['calls']['run']): Promise<CallRecord>;
    cancel(callId: string): boolean;
    retry(input: Inputs['calls']['retry']): Promise<CallRecord>;
    stopRetry(callId: string): boolean;
    watchCalls(target: OfProvider, signal: AbortSignal): AsyncIterable<CallRecord[]>;
    watchQueue(target: OfProvider, signal: AbortSignal): AsyncIterable<RequestQueue>;
    watchConfirmations(signal: AbortSignal): AsyncIterable<Confirmation[]>;
    launchConfirmation(callId: string, confirmed: boolean): Promise<Confirmation>;
    confirm(callId: string, confirmed: boolean): Promise<Outputs['confirmations']['confirm']>;
    stopConfirmation(callId: string): boolean;
    setAsideConfirmation(callId: string): Confirmation;
    prepareResume(callId: string, deliberate?: readonly Deviation[]): Promise<PreparedCall>;
    watchOperations(signal: AbortSignal): AsyncIterable<Operation[]>;
    pollOperation(callId: string): Promise<Operation>;
    cancelOperation(callId: string): Promise<Operation>;
    followOperation(callId: string, follow: boolean): Promise<Operation>;
  };
}
