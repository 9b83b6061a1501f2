import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type HostPortDefaults, parseHostPort } from '../../../shared/base/host-port.ts';
import type { AdbServerInfo } from '../../../shared/model/device.ts';
import { useClient } from '../../connection/context.tsx';
import { problemOf } from '../../connection/problem-of.ts';
import { ProblemView } from '../../parts/problem-view.tsx';
import { useI18n } from '../../ui/i18n.tsx';
import { SafeText } from '../../ui/safe-text.tsx';
import { Button, Dialog, Note, Segmented } from '../../ui/widgets.tsx';

type Mode = 'connect' | 'pair' | 'server';

/** Pairing has a port of its own each time, so that it must be typed. */
const DEFAULTS: Readonly<Record<Mode, HostPortDefaults>> = {
  connect: { port: 5555 },
  pair: {},
  server: { port: 5037 },
};

/** Reaches a device over the network, pairs one by its code, or watches one more adb server. */
export function ConnectDialog({
  servers,
  onClose,
}: {
  readonly servers: readonly AdbServerInfo[];
  readonly onClose: () => void;
}) {
  const { t } = useI18n();
  const client = useClient();
  const usable = servers.filter((server) => server.kind !== 'demo');
  const [mode, setMode] = useState<Mode>('connect');
  const [address, setAddress] = useState('');
  const [code, setCode] = useState('');
  const [serverId, setServerId] = useState(usable[0]?.id ?? 'local');
  const parsed = parseHostPort(address.trim(), DEFAULTS[mode]);
  const act = useMutation({
    mutationFn: async (target: { readonly host: string; readonly port: number }) => {
      if (mode === 'server')
        return client.devices.addServer(target).then(() => ({ message: t('uiDevices.serverAdded') }));
      if (mode === 'pair') return client.devices.pair({ ...target, serverId, code });
      return client.devices.connect({ ...target, serverId });
    },
  });
  const ready = parsed !== null && (mode !== 'pair' || /^\d{6}$/.test(code));
  return (
    <Dialog title={t('uiDevices.connectTitle')} onClose={onClose}>
      <Segmented
        label={t('uiDevices.connectMode')}
        value={mode}
        options={[
          { value: 'connect', label: t('uiDevices.connect') },
          { value: 'pair', label: t('uiDevices.pair') },
          { value: 'server', label: t('uiDevices.addServer') },
        ]}
        onChange={(next) => {
          setMode(next);
          act.reset();
        }}
      />
      <p className="sub">{t(`uiDevices.help.${mode}`)}</p>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (ready && parsed !== null) act.mutate(parsed);
        }}
      >
        <label className="field">
          <span>{t(`uiDevices.address.${mode}`)}</span>
          <input
            className="text-input mono"
            data-autofocus
            value={address}
            onChange={(event) => setAddress(event.target.value)}
            placeholder={
              mode === 'server' ? 'lab-host:5037' : mode === 'pair' ? '192.168.1.20:37123' : '192.168.1.20:5555'
            }
            spellCheck={false}
            aria-invalid={address !== '' && parsed === null}
          />
          {address !== '' && parsed === null ? (
            <span className="fine tone-bad toned">{t('uiDevices.addressInvalid')}</span>
          ) : null}
        </label>
        {mode === 'pair' ? (
          <label className="field">
            <span>{t('uiDevices.code')}</span>
            <input
              className="text-input mono"
              inputMode="numeric"
              maxLength={6}
              value={code}
              onChange={(event) => setCode(event.target.value.replace(/\D/g, ''))}
              placeholder="000000"
            />
          </label>
        ) : null}
        {mode !== 'server' && usable.length > 1 ? (
          <label className="field">
            <span>{t('uiDevices.viaServer')}</span>
            <select className="select" value={serverId} onChange={(event) => setServerId(event.target.value)}>
              {usable.map((server) => (
                <option key={server.id} value={server.id}>
                  {server.host}:{server.port}
                </option>
              ))}
            </select>
          </label>
        ) : null}
        {act.isSuccess ? (
          <Note tone="ok" icon="check">
            <SafeText text={act.data.message} limit={400} />
          </Note>
        ) : null}
        {act.error === null ? null : <ProblemView problem={problemOf(act.error)} alert />}
        <div className="row" style={{ justifyContent: 'flex-end' }}>
          <Button onClick={onClose}>{t('common.close')}</Button>
          <Button type="submit" look="primary" disabled={!ready || act.isPending}>
            {act.isPending ? t('uiDevices.working') : t(`uiDevices.${mode === 'server' ? 'addServer' : mode}`)}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
