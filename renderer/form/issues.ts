import type { ValueIssue } from '../../shared/model/call.ts';
import type { FormIssues } from './form-context.ts';

/** The check's issues by the place they speak of. */
export function collectIssues(issues: readonly ValueIssue[], outdated: boolean): FormIssues {
  const at = new Map<string, string[]>();
  for (const { pointer, message } of issues) {
    const messages = at.get(pointer) ?? [];
    if (!messages.includes(message)) messages.push(message);
    at.set(pointer, messages);
  }
  return {
    at,
    outdated,
    below: (pointer) => {
      let count = 0;
      for (const [place, messages] of at)
        if (place === pointer || place.startsWith(`${pointer}/`)) count += messages.length;
      return count;
    },
  };
}
