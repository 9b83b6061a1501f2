/**
 * Names under which a secret travels. CETP v2 2.2 and 4.3; the agent-provider
 * install request (`host_shared_secret`); the host tool-adapter descriptor
 * (`capabilityHandle`).
 */
const SECRET_KEYS: ReadonlySet<string> = new Set([
  'session_token',
  'resume_token',
  'host_shared_secret',
  'shared_secret',
  'capability_handle',
  'capabilityHandle',
  'sessionToken',
  'resumeToken',
  'hostSharedSecret',
  'sharedSecret',
  'cetp.token',
]);

export function isSecretKey(key: string): boolean {
  return SECRET_KEYS.has(key);
}

const spelled = [...SECRET_KEYS].map(anySpelling).join('|');

/** `"<secret key>": "`, in JSON or in the companion's typed form `"key":{"t":"string","v":"`. The value starts at its end. */
export const SECRET_MEMBER = new RegExp(
  `"(?:${spelled})"[ \\t\\r\\n]*:[ \\t\\r\\n]*(?:\\{[ \\t\\r\\n]*"t"[ \\t\\r\\n]*:[ \\t\\r\\n]*"(?:string|text)"[ \\t\\r\\n]*,[ \\t\\r\\n]*"v"[ \\t\\r\\n]*:[ \\t\\r\\n]*)?"`,
  'g',
);

/** The member `token` of the companion's `hello` (companion protocol, section 2). */
export const HELLO_OP = /"op"[ \t\r\n]*:[ \t\r\n]*"hello"/;
export const HELLO_TOKEN = /"token"[ \t\r\n]*:[ \t\r\n]*"/g;

/** `key=value` as `content call` and `am instrument` print it. The value starts at its end. */
export const SECRET_ASSIGNMENT = /(?:session_token|resume_token|host_shared_secret|shared_secret|cetp\.token)=/g;
export const ASSIGNMENT_END = /[\s,}\]]/g;

/** A pattern for a key in JSON, where each character may also be written as `\uXXXX`. */
function anySpelling(key: string): string {
  return [...key]
    .map((char) => {
      const hex = char.charCodeAt(0).toString(16).padStart(4, '0');
      const anyCase = hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
      return `(?:${char === '.' ? '\\.' : char}|\\\\u${anyCase})`;
    })
    .join('');
}
