import type { uiProviders as en } from '../en/ui-providers.ts';
import type { Translation } from '../translation.ts';

export const uiProviders: Translation<typeof en> = {};
