import { mark } from '../../shared/redaction/mask-text.ts';
import { hideKnown } from '../../shared/redaction/redact.ts';
import type { SecretRegistry } from '../../shared/redaction/secret-registry.ts';
import type { MaskPart } from './read-part.ts';

/** Masks the secrets that a registry knows for a scope, also where one reaches over an end of the part. */
export function maskPart(registry: SecretRegistry, scope: string | null): MaskPart {
  return (text, { before, after }) => {
    const pattern = registry.pattern(scope);
    if (pattern === null) return { text, masked: 0 };
    const whole = before + text + after;
    const end = before.length + text.length;
    let shown = '';
    let masked = 0;
    let from = before.length;
    for (const match of whole.matchAll(pattern)) {
      const stop = match.index + match[0].length;
      if (stop <= before.length || match.index >= end) continue;
      shown += whole.slice(from, Math.max(from, match.index)) + mark(Buffer.byteLength(match[0]));
      from = Math.min(stop, end);
      masked++;
    }
    shown += whole.slice(from, end);
    // Those that stand escaped, as in JSON within JSON.
    const hidden = hideKnown(shown, registry, scope);
    return { text: hidden, masked: hidden === shown ? masked : masked + 1 };
  };
}
