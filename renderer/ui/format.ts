/** Bytes for reading: `512 B`, `1.5 KiB`, `2.0 MiB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)} KiB`;
  return `${(bytes / (1024 * 1024)).toFixed(1)} MiB`;
}

/** A duration in ms for reading: `8 ms`, `1.42 s`, `2 m 05 s`, `3 h 04 m`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(2).replace(/\.00$/, '')} s`;
  const seconds = Math.floor(ms / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} m ${pad(seconds % 60)} s`;
  return `${Math.floor(seconds / 3600)} h ${pad(Math.floor(seconds / 60) % 60)} m`;
}

/** What is left until an instant; null once it has passed. */
export function remaining(untilMs: number, nowMs: number): string | null {
  const left = untilMs - nowMs;
  return left <= 0 ? null : formatDuration(left < 60_000 ? Math.ceil(left / 1000) * 1000 : left);
}

/** Local wall clock: `14:03:22.517`; with the date when it is another day than `nowMs`. */
export function formatTime(atMs: number, nowMs: number = Date.now()): string {
  const at = new Date(atMs);
  const time = `${pad(at.getHours())}:${pad(at.getMinutes())}:${pad(at.getSeconds())}.${String(at.getMilliseconds()).padStart(3, '0')}`;
  return new Date(nowMs).toDateString() === at.toDateString() ? time : `${formatDate(at)} ${time}`;
}

function formatDate(at: Date): string {
  return `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`;
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}
