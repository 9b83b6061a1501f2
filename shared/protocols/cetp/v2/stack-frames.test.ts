import { expect, test } from 'vitest';
import { stackFrame } from './stack-frames.ts';

test('finds a frame of Java or Kotlin, wherever it stands', () => {
  const trace = 'java.lang.IllegalStateException: closed\n\tat com.acme.Store.open(Store.java:112)\n\tat x.Y.z(Y.kt:1)';
  expect(stackFrame(trace)).toBe('at com.acme.Store.open(Store.java:112)');
  expect(stackFrame('{"trace":"at a.B$C.<init>(B.kt:7)"}')).toBe('at a.B$C.<init>(B.kt:7)');
  expect(stackFrame('at android.os.Binder.transact(Native Method)')).toBe(
    'at android.os.Binder.transact(Native Method)',
  );
});

test('leaves what a person wrote alone', () => {
  for (const text of [
    'The market is closed',
    'Look at settings (General)',
    'at noon (see FAQ.html:12)',
    'No file Store.java:12 here',
    '',
  ]) {
    expect(stackFrame(text)).toBeNull();
  }
});

test('takes no longer for a hostile text', () => {
  expect(stackFrame(`at ${'a.'.repeat(5_000_000)}`)).toBeNull();
});
