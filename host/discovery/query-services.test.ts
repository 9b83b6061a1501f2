import { describe, expect, it } from 'vitest';
import { parseQueryServices } from './query-services.ts';

/** The same Service as each Android version prints it: own values, formats of the platform's dump code. */
const android8 = `1 services found:
  Service #0:
    priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=false
    ServiceInfo:
      name=dev.sample.harbour.cetp.HarbourService
      packageName=dev.sample.harbour
      labelRes=0x0 nonLocalizedLabel=Harbour tools icon=0x0 banner=0x0
      processName=dev.sample.harbour:main
      enabled=true exported=true directBootAware=false
      permission=null
      flags=0x0
      ApplicationInfo:
        packageName=dev.sample.harbour
        labelRes=0x7f0a0010 nonLocalizedLabel=null icon=0x0 banner=0x0
        processName=dev.sample.harbour
        taskAffinity=dev.sample.harbour
        uid=10077 flags=0x38a8be44 privateFlags=0x1 theme=0x0
        requiresSmallestWidthDp=0 compatibleWidthLimitDp=0 largestWidthLimitDp=0
        sourceDir=/data/app/dev.sample.harbour-1/base.apk
        seinfo=default:targetSdkVersion=26
        dataDir=/data/user/0/dev.sample.harbour
        enabled=true minSdkVersion=21 targetSdkVersion=26 versionCode=42 targetSandboxVersion=1
        supportsRtl=false
        fullBackupContent=true
        category=-1
`;
const android9 = android8
  .replace('-1/base.apk', '-Q1w2E3r4T5y6U7i8O9p0aA==/base.apk')
  .replace('        category=-1\n', '        HiddenApiEnforcementPolicy=2\n        category=-1\n');
const android11 = android9
  .replace('/data/app/dev', '/data/app/~~ZZZZ1111yyyy2222XXXX==/dev')
  .replace(
    '        seinfo=',
    '        splitSourceDirs=[/data/app/~~ZZZZ1111yyyy2222XXXX==/dev.sample.harbour-Q1w2E3r4T5y6U7i8O9p0aA==/split_config.de.apk, /data/app/~~ZZZZ1111yyyy2222XXXX==/dev.sample.harbour-Q1w2E3r4T5y6U7i8O9p0aA==/split_config.x86_64.apk]\n        seinfo=',
  )
  .replace('        category=-1\n', '        usesNonSdkApi=false\n        allowsPlaybackCapture=true\n');
const android13 = android11.replace('        usesNonSdkApi', '        crossProfile=false\n        usesNonSdkApi');
const android14 = android13.replace(
  '        allowsPlaybackCapture',
  '        enableOnBackInvokedCallback=false\n        createTimestamp=987654\n        allowsPlaybackCapture',
);
const android16 = android14.replace(
  '        supportsRtl',
  '        allowCrossUidActivitySwitchFromBelow=true\n        pageSizeAppCompatFlags=0 enabled=maybe\n        supportsRtl',
);

describe('cmd package query-services', () => {
  it.each([
    ['8', android8, 0],
    ['9', android9, 0],
    ['11', android11, 2],
    ['13', android13, 2],
    ['14', android14, 2],
    ['16', android16, 2],
  ])('Android %s', (_, text, splits) => {
    const listing = parseQueryServices(text);
    expect(listing).toMatchObject({
      ok: true,
      value: {
        problem: null,
        services: [
          {
            package: 'dev.sample.harbour',
            name: 'dev.sample.harbour.cetp.HarbourService',
            exported: true,
            enabled: true,
            permission: null,
            processName: 'dev.sample.harbour:main',
            uid: 10077,
            versionCode: '42',
            applicationEnabled: true,
          },
        ],
      },
    });
    const [service] = listing.ok ? listing.value.services : [];
    expect(service?.sourceDir).toMatch(/^\/data\/app\/.*\/base\.apk$/);
    expect(service?.splitSourceDirs).toHaveLength(splits);
    expect(service?.raw).toContain('priority=0');
  });

  it('keeps the Service’s own flags apart from the application’s', () => {
    const text = android14
      .replace('enabled=true exported=true', 'enabled=false exported=false')
      .replace('permission=null', 'permission=dev.sample.BIND');
    const listing = parseQueryServices(text.replaceAll('\n', '\r\n'));
    expect(listing.ok && listing.value.services[0]).toMatchObject({
      exported: false,
      enabled: false,
      permission: 'dev.sample.BIND',
      applicationEnabled: true,
    });
  });

  it('reads several Services', () => {
    const second = android14
      .replace('1 services found:\n', '')
      .replace('#0', '#1')
      .replaceAll('dev.sample.harbour', 'dev.sample.tide');
    const listing = parseQueryServices(android14.replace('1 services', '2 services') + second);
    expect(listing.ok && listing.value.services.map((service) => service.package)).toEqual([
      'dev.sample.harbour',
      'dev.sample.tide',
    ]);
  });

  it('does not let a label with line breaks change name, package or count', () => {
    const label = 'Evil\n  Service #7:\n    ServiceInfo:\n      name=x.Y\n      packageName=com.bank';
    const listing = parseQueryServices(android14.replace('Harbour tools', label));
    expect(listing.ok && listing.value).toMatchObject({
      problem: null,
      services: [{ package: 'dev.sample.harbour', name: 'dev.sample.harbour.cetp.HarbourService' }],
    });
  });

  it('says when a block could not be read, and keeps the others', () => {
    const listing = parseQueryServices(`${android14.replace('1 services', '2 services')}  Service #1:\n    odd\n`);
    expect(listing.ok && listing.value.services).toHaveLength(1);
    expect(listing.ok && listing.value.problem).toMatchObject({
      code: 'query-services-incomplete',
      params: { announced: 2, read: 1 },
    });
  });

  it('knows none from failed', () => {
    expect(parseQueryServices('No services found\n')).toEqual({ ok: true, value: { services: [], problem: null } });
    for (const [out, error] of [
      ['', ''],
      ['Error: Unknown option: --query-flags\n', ''],
      ['', "cmd: Can't find service: package"],
      ['Security exception: Shell does not have permission to access user 10\n', 'java.lang.SecurityException'],
    ] as const) {
      expect(parseQueryServices(out, error)).toMatchObject({ ok: false, error: { code: 'query-services-failed' } });
    }
  });
});
