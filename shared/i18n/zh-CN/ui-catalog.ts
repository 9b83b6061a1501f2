import type { uiCatalog as en } from '../en/ui-catalog.ts';
import type { Translation } from '../translation.ts';

export const uiCatalog: Translation<typeof en> = {};
