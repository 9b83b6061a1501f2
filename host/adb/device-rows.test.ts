import { describe, expect, it } from 'vitest';
import { parseLongRows, parseShortRows } from './device-rows.ts';

describe('parseLongRows', () => {
  it.each([
    [
      'K7QX02              device usb:1-4 product:oriole model:Pixel_6 device:oriole transport_id:7',
      'K7QX02',
      'device',
      { usb: '1-4', product: 'oriole', model: 'Pixel_6', device: 'oriole', transport_id: '7' },
    ],
    [
      '10.0.0.9:5555          device product:p model:M device:d transport_id:2',
      '10.0.0.9:5555',
      'device',
      { product: 'p', model: 'M', device: 'd', transport_id: '2' },
    ],
    ['[fe80::1%wlan0]:37123 offline transport_id:3', '[fe80::1%wlan0]:37123', 'offline', { transport_id: '3' }],
    [
      'K7QX02  no permissions (missing udev rules? user is in the plugdev group); see [http://developer.android.com/tools/device.html] usb:3-1 transport_id:4',
      'K7QX02',
      'no permissions (missing udev rules? user is in the plugdev group); see [http://developer.android.com/tools/device.html]',
      { usb: '3-1', transport_id: '4' },
    ],
    [
      'adb-K7QX02-aBcDeF (2)._adb-tls-connect._tcp device product:p transport_id:9',
      'adb-K7QX02-aBcDeF (2)._adb-tls-connect._tcp',
      'device',
      { product: 'p', transport_id: '9' },
    ],
    [
      '(no serial number)     unauthorized usb:1-1 transport_id:5',
      '(no serial number)',
      'unauthorized',
      { usb: '1-1', transport_id: '5' },
    ],
    ['K7QX02                 sideload', 'K7QX02', 'sideload', {}],
    ['K7QX02                 brandnewstate usb:1-1', 'K7QX02', 'brandnewstate', { usb: '1-1' }],
    ['K7QX02', 'K7QX02', 'unknown', {}],
    ['devicebox              device model:', 'devicebox', 'device', { model: '' }],
  ])('reads %j', (line, serial, stateText, properties) => {
    expect(parseLongRows(`${line}\n`)).toEqual([{ serial, stateText, properties }]);
  });

  it('gives no row for an empty list', () => {
    expect(parseLongRows('')).toEqual([]);
  });

  it('does not let a property name reach the prototype', () => {
    const [row] = parseLongRows('K7QX02 device __proto__:x transport_id:1');
    expect(Object.getPrototypeOf(row?.properties)).toBe(Object.prototype);
  });
});

describe('parseShortRows', () => {
  it('divides at the tab', () => {
    expect(parseShortRows('K7QX02\tno permissions (x); see [y]\n10.0.0.9:5555\tdevice\n')).toEqual([
      { serial: 'K7QX02', stateText: 'no permissions (x); see [y]', properties: {} },
      { serial: '10.0.0.9:5555', stateText: 'device', properties: {} },
    ]);
  });
});
