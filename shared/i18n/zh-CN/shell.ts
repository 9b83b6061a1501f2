import type { shell as en } from '../en/shell.ts';
import type { Translation } from '../translation.ts';

export const shell: Translation<typeof en> = {};
