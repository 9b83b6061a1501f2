import type { AdbDeviceRow } from './transport.ts';

/**
 * States as servers print them (adb `transport.cpp`, `to_string(ConnectionState)`).
 * `no permissions` goes on with a reason and an address in one text.
 */
const STATE_START =
  /^(.*?)[ \t]+(device|offline|unauthorized|authorizing|connecting|bootloader|recovery|rescue|sideload|host|detached|unknown|no permissions)(?=$|[ \t(;])/;
const PROPERTY_END = /[ \t]+([a-z][a-z_0-9]*):(\S*)$/;

/** The list of `host:track-devices-l`, one device a line, in the order given. */
export function parseLongRows(text: string): readonly AdbDeviceRow[] {
  return lines(text).map(parseLongRow);
}

/** The list of `host:track-devices`: serial, tab, state. */
export function parseShortRows(text: string): readonly AdbDeviceRow[] {
  return lines(text).map((line) => {
    const tab = line.indexOf('\t');
    return tab < 0
      ? { serial: line.trim(), stateText: 'unknown', properties: {} }
      : { serial: line.slice(0, tab).trim(), stateText: line.slice(tab + 1).trim(), properties: {} };
  });
}

/**
 * The serial may hold spaces (mDNS names with ` (2)`, `(no serial number)`), the
 * state too, and any property may be missing: properties are taken from the
 * end, then the first word that is a known state divides serial and state.
 */
function parseLongRow(line: string): AdbDeviceRow {
  const properties: [string, string][] = [];
  let head = line.trimEnd();
  for (let found = PROPERTY_END.exec(head); found !== null; found = PROPERTY_END.exec(head)) {
    properties.unshift([found[1] ?? '', found[2] ?? '']);
    head = head.slice(0, found.index);
  }
  const divided = STATE_START.exec(head);
  if (divided !== null) {
    const serial = (divided[1] ?? '').trim();
    return {
      serial,
      stateText: head.slice((divided[1] ?? '').length).trim(),
      properties: Object.fromEntries(properties),
    };
  }
  const space = /[ \t]/.exec(head.trimStart())?.index;
  const start = head.trimStart();
  return {
    serial: space === undefined ? start : start.slice(0, space),
    stateText: space === undefined ? 'unknown' : start.slice(space).trim(),
    properties: Object.fromEntries(properties),
  };
}

function lines(text: string): readonly string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}
