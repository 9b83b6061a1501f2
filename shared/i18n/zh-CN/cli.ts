import type { cli as en } from '../en/cli.ts';
import type { Translation } from '../translation.ts';

export const cli: Translation<typeof en> = {};
