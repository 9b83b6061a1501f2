/** How far an error's text is looked through, in UTF-16 units; it may be megabytes of a hostile app. */
const LOOKED_AT = 16_384;

/** A frame as Java and Kotlin print it: `at pkg.Class.method(File.java:12)`, also with `Native Method` and the like. */
const FRAME = /\bat [\w.$<>/]{1,200}\((?:[\w.$-]{1,100}\.(?:java|kt|kts):\d{1,7}|Native Method|Unknown Source)\)/;

/** The first stack frame in a text that a person should be able to read (v2 5); null where there is none. */
export function stackFrame(text: string): string | null {
  return FRAME.exec(text.slice(0, LOOKED_AT))?.[0] ?? null;
}
