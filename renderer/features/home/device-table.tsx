import type { AdbServerInfo, Device } from '../../../shared/model/device.ts';
import { type OnDevice, useCompanion, useProviders } from '../../connection/streams.ts';
import { CompanionBadge } from '../../parts/companion-badge.tsx';
import { DeviceDot, transportIcon } from '../../parts/device-marks.tsx';
import { SeverityBadge } from '../../parts/findings.tsx';
import { links } from '../../parts/links.ts';
import { useI18n } from '../../ui/i18n.tsx';
import { Icon } from '../../ui/icon.tsx';
import { navigate } from '../../ui/location.ts';
import { SafeText } from '../../ui/safe-text.tsx';
import { Badge } from '../../ui/widgets.tsx';

/** So many ready devices are looked into from the start page; a lab with more opens one at a time. */
const LOOKED_INTO = 12;

export function DeviceTable({
  devices,
  servers,
}: {
  readonly devices: readonly Device[];
  readonly servers: readonly AdbServerInfo[];
}) {
  const { t } = useI18n();
  const looked = new Set(devices.filter(({ state }) => state === 'device').slice(0, LOOKED_INTO));
  return (
    <div className="card device-table">
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{t('uiDevices.column.device')}</th>
            <th scope="col">{t('uiDevices.column.android')}</th>
            <th scope="col">{t('uiDevices.column.transport')}</th>
            <th scope="col">{t('uiDevices.column.state')}</th>
            <th scope="col">{t('uiDevices.column.providers')}</th>
            <th scope="col">{t('uiDevices.companion')}</th>
          </tr>
        </thead>
        <tbody>
          {devices.map((device) => (
            <DeviceRow
              key={device.key}
              device={device}
              server={servers.find((each) => each.id === device.serverId)}
              look={looked.has(device)}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function DeviceRow({
  device,
  server,
  look,
}: {
  readonly device: Device;
  readonly server: AdbServerInfo | undefined;
  readonly look: boolean;
}) {
  const { t, known } = useI18n();
  const on = { deviceKey: device.key, userId: null };
  const to = links.device(on);
  const ready = device.state === 'device';
  return (
    <tr className="clickable" onClick={() => navigate(to)}>
      <td>
        <span className="row device-name">
          <Icon name={transportIcon(device.transport)} />
          <span>
            <a href={`#${to}`} className="strong">
              <SafeText
                text={[device.manufacturer, device.model].filter((x) => x !== null).join(' ') || device.serial}
                limit={80}
                fixed
              />
            </a>
            <div className="mono dim">
              <SafeText text={device.serial} limit={80} fixed />
            </div>
          </span>
        </span>
      </td>
      <td className="num">
        {device.androidRelease === null ? (
          <span className="dim">{t('common.unknown')}</span>
        ) : (
          <>
            <SafeText text={device.androidRelease} limit={20} fixed />
            <div className="dim fine">API {device.sdk ?? '?'}</div>
          </>
        )}
      </td>
      <td>
        {t(`uiDevices.transport.${device.transport}`)}
        {server?.kind === 'remote' ? (
          <div className="dim fine">
            {server.host}:{server.port}
          </div>
        ) : null}
      </td>
      <td colSpan={ready ? 1 : 3}>
        <span className="row">
          <DeviceDot state={device.state} label="" />
          {known(`deviceState.${device.state}`) ?? device.state}
        </span>
        {ready ? null : <div className="sub fine device-help">{known(`deviceHelp.${device.state}`)}</div>}
      </td>
      {ready ? (
        look ? (
          <Inside on={on} />
        ) : (
          <td colSpan={2} className="dim">
            {t('uiDevices.openToLook')}
          </td>
        )
      ) : null}
    </tr>
  );
}

/** What the device offers, as far as it was looked into. */
function Inside({ on }: { readonly on: OnDevice }) {
  const companion = useCompanion(on);
  return (
    <>
      <td>
        <ProviderCount on={on} />
      </td>
      <td>
        {companion.value === undefined ? (
          <span className="dim">…</span>
        ) : (
          <CompanionBadge state={companion.value.state} />
        )}
      </td>
    </>
  );
}

function ProviderCount({ on }: { readonly on: OnDevice }) {
  const { t, known } = useI18n();
  const { value, problem } = useProviders(on);
  const failed = problem ?? (value?.state === 'failed' ? value.problem : null);
  if (failed !== null) {
    return (
      <>
        <span className="toned tone-bad">{t('uiProviders.lookFailed')}</span>
        <div className="sub fine device-help">{known(`problem.${failed.code}`, failed.params) ?? failed.code}</div>
      </>
    );
  }
  if (value === undefined || (value.state === 'looking' && value.providers.length === 0)) {
    return (
      <span className="row dim">
        <span className="spinner" /> {t('uiProviders.looking')}
      </span>
    );
  }
  if (value.providers.length === 0) return <span className="dim">{t('uiProviders.noneShort')}</span>;
  const not = value.providers.filter(({ bridge }) => bridge === 'none').length;
  const broken = value.providers
    .flatMap(({ findings }) => findings)
    .filter(({ severity }) => severity === 'must').length;
  return (
    <span className="row wrap">
      <span className="strong num">{value.providers.length}</span>
      {not === 0 ? null : (
        <Badge tone="bad" look="outline" icon="ban">
          {t('uiDevices.notCallable', { count: not })}
        </Badge>
      )}
      {broken === 0 ? null : <SeverityBadge severity="must" count={broken} />}
    </span>
  );
}
