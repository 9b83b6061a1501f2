import type { DeviceSelector } from './device-table.ts';

/** What a client asks of the server itself, read from the text of its request. */
export type HostRequest =
  | { readonly kind: 'version' }
  | { readonly kind: 'host-features' }
  | { readonly kind: 'devices'; readonly long: boolean }
  | { readonly kind: 'track-devices'; readonly long: boolean }
  | { readonly kind: 'transport'; readonly selector: DeviceSelector; readonly tellId: boolean }
  | {
      readonly kind: 'get';
      readonly what: 'state' | 'serialno' | 'devpath' | 'features';
      readonly selector: DeviceSelector;
    }
  | { readonly kind: 'wait-for'; readonly state: string; readonly selector: DeviceSelector }
  | { readonly kind: 'connect'; readonly address: string }
  | { readonly kind: 'disconnect'; readonly address: string }
  | { readonly kind: 'pair'; readonly address: string }
  | { readonly kind: 'list-forward' }
  | { readonly kind: 'unsupported'; readonly what: string }
  | { readonly kind: 'unknown'; readonly service: string }
  /** Not for the server but for the device chosen before. */
  | { readonly kind: 'device-service'; readonly service: string };

/** Understands one request. Source: `adb.cpp` and `SERVICES.TXT` of AOSP adb. */
export function parseHostRequest(request: string): HostRequest {
  if (request.startsWith('host:')) return parseHost(request.slice('host:'.length), { by: 'any' });
  if (request.startsWith('host-serial:')) return parseSerial(request.slice('host-serial:'.length));
  if (request.startsWith('host-transport-id:')) {
    const [id = '', ...rest] = request.slice('host-transport-id:'.length).split(':');
    return parseHost(rest.join(':'), { by: 'transportId', id });
  }
  for (const prefix of ['host-usb:', 'host-local:']) {
    if (request.startsWith(prefix)) return parseHost(request.slice(prefix.length), { by: 'any' });
  }
  return { kind: 'device-service', service: request };
}

/** The serial itself may hold colons (`127.0.0.1:5600`, `tcp:host:port`): what is asked is searched from the end. */
function parseSerial(text: string): HostRequest {
  const match =
    /^(?<serial>.+?):(?<service>(?:get-state|get-serialno|get-devpath|features|list-forward|wait-for-.*|(?:kill)?forward(?:-all)?(?::.*)?|reverse:.*|reconnect))$/s.exec(
      text,
    );
  const { serial, service } = match?.groups ?? {};
  if (serial === undefined || service === undefined) return { kind: 'unknown', service: text };
  return parseHost(service, { by: 'serial', serial });
}

function parseHost(service: string, selector: DeviceSelector): HostRequest {
  switch (service) {
    case 'version':
      return { kind: 'version' };
    case 'host-features':
      return { kind: 'host-features' };
    case 'devices':
    case 'devices-l':
      return { kind: 'devices', long: service === 'devices-l' };
    case 'track-devices':
    case 'track-devices-l':
      return { kind: 'track-devices', long: service === 'track-devices-l' };
    case 'get-state':
      return { kind: 'get', what: 'state', selector };
    case 'get-serialno':
      return { kind: 'get', what: 'serialno', selector };
    case 'get-devpath':
      return { kind: 'get', what: 'devpath', selector };
    case 'features':
      return { kind: 'get', what: 'features', selector };
    case 'list-forward':
      return { kind: 'list-forward' };
    case 'kill':
      return { kind: 'unsupported', what: 'stopping the demo server' };
    case 'transport-any':
    case 'transport-usb':
    case 'transport-local':
      return { kind: 'transport', selector: { by: 'any' }, tellId: false };
    case 'tport:any':
    case 'tport:usb':
    case 'tport:local':
      return { kind: 'transport', selector: { by: 'any' }, tellId: true };
    default:
      return parsePrefixed(service, selector);
  }
}

function parsePrefixed(service: string, selector: DeviceSelector): HostRequest {
  const after = (prefix: string): string | null => (service.startsWith(prefix) ? service.slice(prefix.length) : null);
  const tportSerial = after('tport:serial:');
  if (tportSerial !== null) {
    return { kind: 'transport', selector: { by: 'serial', serial: tportSerial }, tellId: true };
  }
  const serial = after('transport:');
  if (serial !== null) return { kind: 'transport', selector: { by: 'serial', serial }, tellId: false };
  const id = after('transport-id:');
  if (id !== null) return { kind: 'transport', selector: { by: 'transportId', id }, tellId: false };
  const waited = /^wait-for-(?:any|usb|local)-(?<state>.+)$/.exec(service)?.groups?.['state'];
  if (waited !== undefined) return { kind: 'wait-for', state: waited, selector };
  const connect = after('connect:');
  if (connect !== null) return { kind: 'connect', address: connect };
  const disconnect = after('disconnect:');
  if (disconnect !== null) return { kind: 'disconnect', address: disconnect };
  const pair = after('pair:');
  // The code comes first and is a secret: it is not kept.
  if (pair !== null) return { kind: 'pair', address: pair.slice(pair.indexOf(':') + 1) };
  const refused = /^(?:(?:kill)?forward|reverse|reconnect|mdns)(?:[-:]|$)/.exec(service)?.[0];
  if (refused !== undefined) return { kind: 'unsupported', what: refused.replace(/[-:]$/, '') };
  return { kind: 'unknown', service };
}
