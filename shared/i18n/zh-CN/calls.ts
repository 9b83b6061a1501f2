import type { calls as en } from '../en/calls.ts';
import type { Translation } from '../translation.ts';

export const calls: Translation<typeof en> = {};
