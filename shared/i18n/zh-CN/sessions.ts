import type { sessions as en } from '../en/sessions.ts';
import type { Translation } from '../translation.ts';

export const sessions: Translation<typeof en> = {};
