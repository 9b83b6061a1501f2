export interface HostPort {
  readonly host: string;
  readonly port: number;
}

/** What stands in for a part that the text leaves out; without it the part is required. */
export interface HostPortDefaults {
  /** A text of digits alone is then a port of this host, as in adb's `tcp:PORT`. */
  readonly host?: string;
  readonly port?: number;
}

/** `host:port` with an IPv6 address in brackets. Null where it is neither. */
export function parseHostPort(text: string, defaults: HostPortDefaults = {}): HostPort | null {
  const parts = /^(?:(\[[^\]]*\]|[^:[\]]*))(?::(\d*))?$/.exec(text);
  if (parts === null) return null;
  const [, first = '', second] = parts;
  if (second === undefined && defaults.host !== undefined && /^\d*$/.test(first)) {
    const port = parsePort(first);
    return port === null ? null : { host: defaults.host, port };
  }
  const host = parseHost(first);
  const port = second === undefined ? (defaults.port ?? null) : parsePort(second);
  return host === null || port === null ? null : { host, port };
}

/** Joins as `parseHostPort` splits: an IPv6 address gets brackets. */
export function formatHostPort(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** A host name or address of at most 255 characters, or null. Anything that could end a request early is refused. */
export function parseHost(text: string): string | null {
  const bare = /^\[([0-9A-Fa-f:.]+(?:%[\w.-]+)?)\]$/.exec(text)?.[1] ?? text;
  return bare.length <= 255 && /^(?:[\p{L}\p{N}._-]+|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*(?:%[\w.-]+)?)$/u.test(bare)
    ? bare
    : null;
}

/** 1 to 65535, in digits; null where it is none. */
export function parsePort(text: string): number | null {
  if (!/^\d{1,5}$/.test(text)) return null;
  const port = Number(text);
  return port >= 1 && port <= 65_535 ? port : null;
}
