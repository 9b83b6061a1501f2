import type { Bundle } from '../../shared/model/bundle.ts';

/** Handles (`pendingIntent`, `fd`) in an answer, nested Bundles included. */
export function handlesOf(bundle: Bundle | null): string[] {
  return (bundle ?? []).flatMap((entry) => {
    if (entry.t === 'pendingIntent' || entry.t === 'fd') return [entry.v.handle];
    if (entry.t === 'bundle') return handlesOf(entry.v);
    if (entry.t === 'bundle[]') return entry.v.flatMap(handlesOf);
    return [];
  });
}
