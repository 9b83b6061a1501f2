/** One report of `am instrument -w -r` (AOSP `Instrument.java`, raw text reporter, API 26 to 34). */
export type InstrumentationReport =
  | { readonly kind: 'status'; readonly values: ReadonlyMap<string, string>; readonly code: number }
  /** The end: `INSTRUMENTATION_CODE`, with the `INSTRUMENTATION_RESULT` values before it. -1 is a finish of its own. */
  | { readonly kind: 'ended'; readonly values: ReadonlyMap<string, string>; readonly code: number }
  /** `INSTRUMENTATION_FAILED` or `INSTRUMENTATION_ABORTED`, in Android's words. */
  | { readonly kind: 'refused'; readonly text: string }
  | { readonly kind: 'aborted'; readonly text: string };

/** Characters of text that belong to no finished report; more is dropped from its front. */
const MAX_PENDING = 64 * 1024;

/** Reads the stream piece by piece. Values may span lines; what belongs to no report is kept for error texts. */
export class InstrumentationParser {
  #line = '';
  #values = new Map<string, string>();
  #lastKey: string | null = null;
  #pendingLength = 0;
  #tail = '';

  /** The last output, at most 4,000 characters. */
  get tail(): string {
    return this.#tail;
  }

  push(text: string): InstrumentationReport[] {
    this.#tail = (this.#tail + text).slice(-4_000);
    const lines = (this.#line + text).split('\n');
    this.#line = (lines.pop() ?? '').slice(-MAX_PENDING);
    return lines.flatMap((line) => this.#onLine(line.replace(/\r$/, '')));
  }

  /** The last line where the stream ended without a line end. */
  end(): InstrumentationReport[] {
    return this.push('\n');
  }

  #onLine(line: string): InstrumentationReport[] {
    const value = /^INSTRUMENTATION_(?:STATUS|RESULT): ([^=]*)=(.*)$/.exec(line);
    if (value !== null) {
      this.#keep(value[1] ?? '', value[2] ?? '');
      return [];
    }
    const code = /^INSTRUMENTATION_(STATUS_CODE|CODE): (-?\d+)$/.exec(line);
    if (code !== null) {
      const values = this.#values;
      this.#values = new Map();
      this.#lastKey = null;
      this.#pendingLength = 0;
      return [{ kind: code[1] === 'CODE' ? 'ended' : 'status', values, code: Number(code[2]) }];
    }
    const failure = /INSTRUMENTATION_(FAILED|ABORTED): (.*)$/.exec(line);
    if (failure !== null) return [{ kind: failure[1] === 'FAILED' ? 'refused' : 'aborted', text: line }];
    if (this.#lastKey !== null) this.#keep(this.#lastKey, `${this.#values.get(this.#lastKey) ?? ''}\n${line}`);
    return [];
  }

  #keep(key: string, value: string): void {
    this.#pendingLength += value.length;
    if (this.#pendingLength > MAX_PENDING) return;
    this.#values.set(key, value);
    this.#lastKey = key;
  }
}
