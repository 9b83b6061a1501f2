import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { createVirtualAndroid } from '../android/virtual-android.ts';
import { buildApk } from '../apk/apk.ts';
import { NOTES_PACKAGE, notesPackage } from '../provider-kit/notes-weather.ts';
import { authorityOf } from '../provider-kit/package-builder.ts';
import { UNPROTECTED_PACKAGE, unprotectedPackage } from '../provider-kit/unprotected.ts';
import { createDeviceServices } from './services.ts';
import { drain, open, shell } from './test-shell.ts';

const LEVELS = [26, 28, 30, 33, 34, 36] as const;
const COMPANION = 'com.clawseed.inspector.companion';

const phone = (sdk: number) => {
  const android = createVirtualAndroid({
    sdk,
    packages: [notesPackage(), unprotectedPackage()],
    installable: [],
  });
  return { android, services: createDeviceServices(android, { serial: 'S' }) };
};

describe.each(LEVELS)('over the virtual Android, API %i', (sdk) => {
  test('every service that is found has an APK that can be read by ranges', async () => {
    const { android, services } = phone(sdk);
    const { stdout } = await shell(services, 'cmd package query-services -a com.clawseed.action.TOOL_PROVIDER');
    const paths = [...stdout.matchAll(/sourceDir=(.*)/g)].map((match) => match[1] ?? '');
    expect(paths).toHaveLength(2);
    for (const path of paths) {
      const size = Number((await shell(services, `stat -c %s '${path}'`)).stdout);
      const tail = await drain(open(services, `exec:dd if='${path}' bs=1 skip=${size - 22} count=22 2>/dev/null`));
      expect(tail.readUInt32LE(0)).toBe(0x06054b50);
    }
    expect((await shell(services, `pm path ${NOTES_PACKAGE}`)).stdout).toBe(`package:${paths[0]}\n`);
    expect(android.sdk).toBe(sdk);
  });

  test('an unprotected Provider answers the shell, a protected one refuses it', async () => {
    const { services } = phone(sdk);
    const call = (name: string) =>
      shell(services, `content call --uri content://${authorityOf(name)} --method list_tools`);
    expect((await call(UNPROTECTED_PACKAGE)).stdout).toMatch(/^Result: Bundle\[\{.*status=success, data=/);
    const refused = await call(NOTES_PACKAGE);
    expect(refused.stdout).toBe('');
    expect(refused.stderr).toMatch(
      /\njava\.lang\.SecurityException: Permission Denial: opening provider .* \(pid=\d+, uid=2000\) requires /,
    );
  });

  test('an APK that was pushed is installed, and is the one that is read', async () => {
    const { services } = phone(sdk);
    const apk = buildApk({ ...notesPackage(), versionCode: 9999, versionName: '9.9' });
    const stream = open(services, `exec:cmd package install -r -S ${apk.length}`);
    stream.write(apk);
    expect((await drain(stream)).toString()).toBe('Success\n');
    expect((await shell(services, `pm list packages --show-versioncode ${NOTES_PACKAGE}`)).stdout).toBe(
      `package:${NOTES_PACKAGE} versionCode:9999\n`,
    );
    const path = (await shell(services, `pm path ${NOTES_PACKAGE}`)).stdout.trim().replace('package:', '');
    expect((await drain(open(services, `exec:cat ${path}`))).equals(apk)).toBe(true);
  });

  test('the companion is started by instrumentation and reached through its socket; it outlives a closed stream', async () => {
    const { services } = phone(sdk);
    const stream = open(services, `shell:am instrument -w -r ${COMPANION}/.BridgeInstrumentation`);
    let text = '';
    while (!text.includes('INSTRUMENTATION_STATUS_CODE: 0\n')) text += String((await once(stream, 'data'))[0]);
    const value = (key: string): string => new RegExp(`STATUS: cetp\\.${key}=(.*)`).exec(text)?.[1] ?? '';
    stream.destroy();
    const socket = open(services, `localabstract:${value('socket')}`);
    socket.write(`${JSON.stringify({ id: 1, op: 'hello', params: { protocol: 1, token: value('token') } })}\n`);
    const [line] = await once(socket, 'data');
    expect(JSON.parse(String(line))).toMatchObject({ id: 1, ok: { protocol: 1, package: COMPANION, sdk } });
    socket.destroy();
    await shell(services, `am force-stop ${COMPANION}`);
    expect(services.open(`localabstract:${value('socket')}`)).toBeNull();
  });
});
