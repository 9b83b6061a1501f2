import type { uiHistory as en } from '../en/ui-history.ts';
import type { Translation } from '../translation.ts';

export const uiHistory: Translation<typeof en> = {};
