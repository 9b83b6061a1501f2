/** Splits `host:port`; IPv6 in brackets. Null where it is neither. */
export function parseHostPort(
  text: string,
  defaultPort: number | null,
): { readonly host: string; readonly port: number } | null {
  const match = /^(?:\[([0-9a-fA-F:.%]+)\]|([^\s:[\]]+))(?::(\d{1,5}))?$/.exec(text.trim());
  const host = match?.[1] ?? match?.[2];
  const port = match?.[3] === undefined ? defaultPort : Number(match[3]);
  return host === undefined || port === null || port < 1 || port > 65_535 ? null : { host, port };
}
