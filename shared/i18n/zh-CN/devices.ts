import type { devices as en } from '../en/devices.ts';
import type { Translation } from '../translation.ts';

export const devices: Translation<typeof en> = {};
