import type { providers as en } from '../en/providers.ts';
import type { Translation } from '../translation.ts';

export const providers: Translation<typeof en> = {};
