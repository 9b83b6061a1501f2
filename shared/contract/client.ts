import type { ContractRouterClient } from '@orpc/contract';
import type { Contract } from './contract.ts';

/** The typed client that every shell holds, whatever carries it. */
export type HostClient = ContractRouterClient<Contract>;
