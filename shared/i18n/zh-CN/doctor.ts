import type { doctor as en } from '../en/doctor.ts';
import type { Translation } from '../translation.ts';

export const doctor: Translation<typeof en> = {};
