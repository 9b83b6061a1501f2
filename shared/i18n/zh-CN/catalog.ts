import type { catalog as en } from '../en/catalog.ts';
import type { Translation } from '../translation.ts';

export const catalog: Translation<typeof en> = {};
