import type { FileCheck, FileState } from '../../shared/model/result-file.ts';
import type { IconName } from '../ui/icon.tsx';
import type { Tone } from '../ui/widgets.tsx';

interface Look {
  readonly tone: Tone;
  readonly icon: IconName;
}

export const STATE_LOOKS: Readonly<Record<FileState, Look>> = {
  receiving: { tone: 'info', icon: 'hourglass' },
  checking: { tone: 'info', icon: 'hourglass' },
  verified: { tone: 'ok', icon: 'check' },
  unverified: { tone: 'plain', icon: 'question' },
  mismatch: { tone: 'bad', icon: 'warning' },
  cut: { tone: 'warn', icon: 'cable' },
  failed: { tone: 'warn', icon: 'warning' },
  cancelled: { tone: 'plain', icon: 'minus' },
};

export const CHECK_LOOKS: Readonly<Record<FileCheck, Look>> = {
  same: { tone: 'ok', icon: 'check' },
  differs: { tone: 'bad', icon: 'warning' },
  'not-declared': { tone: 'plain', icon: 'question' },
  'not-checked': { tone: 'plain', icon: 'question' },
};
