import type { bridge as en } from '../en/bridge.ts';
import type { Translation } from '../translation.ts';

export const bridge: Translation<typeof en> = {};
