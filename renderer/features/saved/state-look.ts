import type { CheckResult, SavedCallResult } from '../../../shared/model/collection.ts';
import type { IconName } from '../../ui/icon.tsx';
import type { Tone } from '../../ui/widgets.tsx';

interface Look {
  readonly tone: Tone;
  readonly icon: IconName;
}

export const RESULT_LOOK: Readonly<Record<SavedCallResult['state'], Look>> = {
  passed: { tone: 'ok', icon: 'check' },
  failed: { tone: 'bad', icon: 'cross' },
  error: { tone: 'own', icon: 'stop' },
  skipped: { tone: 'plain', icon: 'minus' },
};

export const CHECK_LOOK: Readonly<Record<CheckResult['state'], Look>> = {
  passed: { tone: 'ok', icon: 'check' },
  failed: { tone: 'bad', icon: 'cross' },
  'not-checked': { tone: 'warn', icon: 'question' },
  info: { tone: 'info', icon: 'info' },
};
