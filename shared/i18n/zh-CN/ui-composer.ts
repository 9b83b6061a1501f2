import type { uiComposer as en } from '../en/ui-composer.ts';
import type { Translation } from '../translation.ts';

export const uiComposer: Translation<typeof en> = {};
