import { useState } from 'react';
import type { AdbServerInfo, Device } from '../../shared/model/device.ts';
import type { Provider } from '../../shared/model/provider.ts';
import { useDevices, useProviders } from '../connection/streams.ts';
import { ConnectDialog } from '../features/devices/connect-dialog.tsx';
import { DeviceDot, ServerDot, transportIcon } from '../parts/device-marks.tsx';
import { links } from '../parts/links.ts';
import { ProtocolMark } from '../parts/protocol-mark.tsx';
import { useI18n } from '../ui/i18n.tsx';
import { Icon } from '../ui/icon.tsx';
import { SafeText } from '../ui/safe-text.tsx';
import { Button } from '../ui/widgets.tsx';
import { deviceOf, type Route } from './routes.ts';

export function Sidebar({ route, onHelp }: { readonly route: Route; readonly onHelp: () => void }) {
  const { t } = useI18n();
  const devices = useDevices();
  const [connecting, setConnecting] = useState(false);
  const snapshot = devices.value;
  return (
    <aside className="sidebar">
      <header className="sidebar-head">
        <a href={`#${links.home()}`} className="brand">
          <svg width="20" height="20" viewBox="0 0 32 32" aria-hidden="true">
            <rect width="32" height="32" rx="8" fill="var(--accent)" />
            <path
              d="M12.500 9.500 7 16l5.500 6.500M19.500 9.500 25 16l-5.500 6.500"
              fill="none"
              stroke="var(--accent-fg)"
              strokeWidth="2.600"
              strokeLinecap="round"
              strokeLinejoin="round"
            />
            <circle cx="16" cy="16" r="2.200" fill="var(--accent-fg)" />
          </svg>
          {t('app.name')}
        </a>
      </header>
      <nav className="sidebar-nav" aria-label={t('shell.navDevices')} onKeyDown={moveFocus}>
        <div className="nav-heading">
          <h2>{t('shell.devices')}</h2>
          <Button
            small
            look="quiet"
            icon="plus"
            aria-label={t('uiDevices.connectTitle')}
            title={t('uiDevices.connectTitle')}
            onClick={() => setConnecting(true)}
          />
        </div>
        {snapshot === undefined ? (
          <div className="nav-note" role="status">
            <span className="spinner" /> {t('shell.loading')}
          </div>
        ) : (
          snapshot.servers.map((server) => (
            <ServerGroup
              key={server.id}
              server={server}
              devices={snapshot.devices.filter((device) => device.serverId === server.id)}
              route={route}
            />
          ))
        )}
      </nav>
      <nav className="sidebar-foot" aria-label={t('shell.navApp')} onKeyDown={moveFocus}>
        <NavLink to={links.activity()} current={route.page === 'activity'}>
          <Icon name="hourglass" /> {t('uiActivity.title')}
        </NavLink>
        <NavLink to={links.saved()} current={route.page === 'saved'}>
          <Icon name="pin" /> {t('uiSaved.title')}
        </NavLink>
        <NavLink to={links.history()} current={route.page === 'history'}>
          <Icon name="clock" /> {t('shell.history')}
        </NavLink>
        <NavLink to={links.settings()} current={route.page === 'settings'}>
          <Icon name="gear" /> {t('shell.settings')}
        </NavLink>
        <button type="button" className="nav-item" onClick={onHelp}>
          <Icon name="question" /> <span className="grow">{t('shell.shortcuts')}</span> <kbd>?</kbd>
        </button>
      </nav>
      {connecting ? <ConnectDialog servers={snapshot?.servers ?? []} onClose={() => setConnecting(false)} /> : null}
    </aside>
  );
}

function ServerGroup({
  server,
  devices,
  route,
}: {
  readonly server: AdbServerInfo;
  readonly devices: readonly Device[];
  readonly route: Route;
}) {
  const { t, known } = useI18n();
  const name = server.kind === 'remote' ? `${server.host}:${server.port}` : t(`uiDevices.server.${server.kind}`);
  return (
    <div className="nav-group">
      <div className="nav-server">
        <ServerDot state={server.state} />
        <span className="grow ellipsis">
          <SafeText text={name} limit={80} fixed />
        </span>
        <span className="dim">{t(`uiDevices.serverState.${server.state}`)}</span>
      </div>
      {server.problem === null ? null : (
        <a className="nav-note nav-problem" href={`#${links.home()}`}>
          <Icon name="warning" size={12} />
          <SafeText
            text={known(`problem.${server.problem.code}`, server.problem.params) ?? server.problem.code}
            limit={120}
            fixed
          />
        </a>
      )}
      {devices.length === 0 && server.state === 'up' ? <div className="nav-note">{t('uiDevices.noneHere')}</div> : null}
      {devices.map((device) => (
        <DeviceItem key={device.key} device={device} route={route} />
      ))}
    </div>
  );
}

function DeviceItem({ device, route }: { readonly device: Device; readonly route: Route }) {
  const { t, known } = useI18n();
  const on = deviceOf(route);
  const open = on?.deviceKey === device.key;
  const name = device.model ?? device.serial;
  return (
    <div>
      <NavLink to={links.device({ deviceKey: device.key, userId: null })} current={open && route.page === 'device'}>
        <Icon name={transportIcon(device.transport)} />
        <span className="grow nav-two">
          <span className="ellipsis strong">
            <SafeText text={name} limit={60} fixed />
          </span>
          <span className="ellipsis dim fine">
            {device.state === 'device' ? (
              <>
                {device.androidRelease === null ? null : (
                  <>
                    Android <SafeText text={device.androidRelease} limit={12} fixed /> ·{' '}
                  </>
                )}
                <SafeText text={device.serial} limit={60} fixed />
              </>
            ) : (
              (known(`deviceState.${device.state}`) ?? device.state)
            )}
          </span>
        </span>
        <DeviceDot state={device.state} label={known(`deviceState.${device.state}`) ?? t('common.unknown')} />
      </NavLink>
      {open && device.state === 'device' && on !== null ? <ProviderItems on={on} route={route} /> : null}
    </div>
  );
}

function ProviderItems({
  on,
  route,
}: {
  readonly on: { readonly deviceKey: string; readonly userId: number | null };
  readonly route: Route;
}) {
  const { t } = useI18n();
  const { value } = useProviders({ deviceKey: on.deviceKey, userId: on.userId });
  const current = 'of' in route ? route.of.providerKey : null;
  return (
    <div className="nav-children">
      {value === undefined || value.state === 'looking' ? (
        <div className="nav-note" role="status">
          <span className="spinner" /> {t('uiProviders.looking')}
        </div>
      ) : null}
      {value?.state === 'failed' ? (
        <div className="nav-note nav-problem">
          <Icon name="warning" size={12} /> {t('uiProviders.lookFailed')}
        </div>
      ) : null}
      {value?.state === 'ready' && value.providers.length === 0 ? (
        <div className="nav-note">{t('uiProviders.noneShort')}</div>
      ) : null}
      {value?.providers.map((provider) => (
        <ProviderItem key={provider.key} provider={provider} on={on} current={provider.key === current} />
      ))}
    </div>
  );
}

function ProviderItem({
  provider,
  on,
  current,
}: {
  readonly provider: Provider;
  readonly on: { readonly deviceKey: string; readonly userId: number | null };
  readonly current: boolean;
}) {
  const { t } = useI18n();
  const musts = provider.findings.filter((finding) => finding.severity === 'must').length;
  const of = { deviceKey: on.deviceKey, userId: on.userId, providerKey: provider.key };
  return (
    <NavLink to={provider.bridge === 'none' ? links.provider(of) : links.provider(of, 'tools')} current={current}>
      <span className="grow ellipsis">
        <SafeText text={provider.candidate.label ?? provider.candidate.package} limit={60} fixed />
      </span>
      {musts > 0 ? (
        <span className="tone-bad toned row nav-mark" title={t('uiProviders.mustCount', { count: musts })}>
          <Icon name="stop" size={12} />
          <span className="sr-only">{t('uiProviders.mustCount', { count: musts })}</span>
        </span>
      ) : null}
      <ProtocolMark of={of} provider={provider} />
    </NavLink>
  );
}

function NavLink({
  to,
  current,
  children,
}: {
  readonly to: string;
  readonly current: boolean;
  readonly children: React.ReactNode;
}) {
  return (
    <a className="nav-item" href={`#${to}`} aria-current={current ? 'page' : undefined}>
      {children}
    </a>
  );
}

/** Arrow keys walk the links of a list; Tab still reaches each of them. */
function moveFocus(event: React.KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('a.nav-item, button.nav-item')];
  const at = items.indexOf(document.activeElement as HTMLElement);
  if (at < 0) return;
  event.preventDefault();
  items[at + (event.key === 'ArrowDown' ? 1 : -1)]?.focus();
}
