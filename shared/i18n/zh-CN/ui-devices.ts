import type { uiDevices as en } from '../en/ui-devices.ts';
import type { Translation } from '../translation.ts';

export const uiDevices: Translation<typeof en> = {};
