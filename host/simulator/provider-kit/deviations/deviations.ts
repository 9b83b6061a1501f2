import { answers } from './answers.ts';
import { confirmation } from './confirmation.ts';
import type { Deviation } from './deviation.ts';
import { files } from './files.ts';
import { idempotency } from './idempotency.ts';
import { operations } from './operations.ts';
import { sessions } from './sessions.ts';

/** The closed list of ways in which the deviant Provider breaks the specification; each is the name of a tool. */
const ALL = { ...idempotency, ...confirmation, ...operations, ...files, ...answers, ...sessions };

export type DeviationName = keyof typeof ALL;

export const DEVIATIONS: Readonly<Record<DeviationName, Deviation>> = ALL;

export const DEVIATION_NAMES = Object.keys(ALL) as readonly DeviationName[];
