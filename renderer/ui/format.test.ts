import { expect, test } from 'vitest';
import { formatBytes, formatDuration, formatTime, remaining } from './format.ts';

test('bytes', () => {
  expect([0, 1023, 1536, 3 * 1024 * 1024].map(formatBytes)).toEqual(['0 B', '1023 B', '1.5 KiB', '3.0 MiB']);
});

test('durations', () => {
  expect([7.6, 1420, 125_000, 11_045_000].map(formatDuration)).toEqual(['8 ms', '1.42 s', '2 m 05 s', '3 h 04 m']);
});

test('a countdown never shows zero while time is left, and ends as null', () => {
  expect(remaining(1000, 999)).toBe('1 s');
  expect(remaining(90_500, 0)).toBe('1 m 30 s');
  expect(remaining(1000, 1000)).toBeNull();
});

test('another day shows its date', () => {
  const day = new Date(2026, 0, 5, 9, 8, 7, 6).getTime();
  expect(formatTime(day, day)).toBe('09:08:07.006');
  expect(formatTime(day, day + 86_400_000)).toBe('2026-01-05 09:08:07.006');
});
