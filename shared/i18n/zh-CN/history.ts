import type { history as en } from '../en/history.ts';
import type { Translation } from '../translation.ts';

export const history: Translation<typeof en> = {};
