import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Session, SessionOffer } from '../../../shared/model/session.ts';
import { CAPABILITIES, CONSUMER_VERSIONS } from '../../../shared/protocols/cetp/v2/names.ts';
import { useOrpc } from '../../connection/context.tsx';
import { problemOf } from '../../connection/problem-of.ts';
import type { OfProvider } from '../../connection/streams.ts';
import { ProblemView } from '../../parts/problem-view.tsx';
import { useI18n } from '../../ui/i18n.tsx';
import { Button, Dialog, Note } from '../../ui/widgets.tsx';

/** Negotiate, negotiate with a chosen offer, drop the session. */
export function SessionActions({ of, session }: { readonly of: OfProvider; readonly session: Session | null }) {
  const { t } = useI18n();
  const orpc = useOrpc();
  const negotiate = useMutation(orpc.sessions.negotiate.mutationOptions());
  const drop = useMutation(orpc.sessions.drop.mutationOptions());
  const [choosing, setChoosing] = useState(false);
  const busy = negotiate.isPending || session?.state === 'negotiating';
  const error = negotiate.error ?? drop.error;
  return (
    <>
      <span className="row wrap">
        {session?.state === 'open' ? (
          <Button
            act
            small
            look="quiet"
            icon="cross"
            title={t('uiSessions.dropHelp')}
            disabled={drop.isPending}
            onClick={() => drop.mutate(of)}
          >
            {t('uiSessions.drop')}
          </Button>
        ) : null}
        <Button small look="quiet" icon="filter" disabled={busy} onClick={() => setChoosing(true)}>
          {t('uiSessions.chooseOffer')}
        </Button>
        <Button
          act
          look={session === null ? 'primary' : 'quiet'}
          icon="refresh"
          disabled={busy}
          onClick={() => negotiate.mutate(of)}
        >
          {busy
            ? t('uiProviders.negotiating')
            : session === null
              ? t('uiProviders.negotiate')
              : t('uiProviders.negotiateAgain')}
        </Button>
      </span>
      {error === null ? null : (
        <ProblemView problem={problemOf(error)} title={t('uiProviders.negotiationFailed')} alert />
      )}
      {choosing ? (
        <OfferDialog
          onClose={() => setChoosing(false)}
          onOffer={(offer) => {
            setChoosing(false);
            negotiate.mutate({ ...of, offer });
          }}
        />
      ) : null}
    </>
  );
}

/** Leaving a capability out shows what the Provider does without it (v2 2.3). */
function OfferDialog({
  onClose,
  onOffer,
}: {
  readonly onClose: () => void;
  readonly onOffer: (offer: SessionOffer) => void;
}) {
  const { t } = useI18n();
  const [versions, setVersions] = useState<readonly number[]>(CONSUMER_VERSIONS);
  const [capabilities, setCapabilities] = useState<readonly string[]>(CAPABILITIES);
  const full = versions.length === CONSUMER_VERSIONS.length && capabilities.length === CAPABILITIES.length;
  return (
    <Dialog
      title={t('uiSessions.chooseOffer')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button
            act
            look="primary"
            icon="refresh"
            disabled={versions.length === 0}
            onClick={() => onOffer({ versions: [...versions], capabilities: [...capabilities] })}
          >
            {t('uiProviders.negotiate')}
          </Button>
        </>
      }
    >
      <div className="stack">
        <Choices name="consumer_versions" all={CONSUMER_VERSIONS} chosen={versions} onChange={setVersions} />
        <Choices name="consumer_capabilities" all={CAPABILITIES} chosen={capabilities} onChange={setCapabilities} />
        {full ? null : (
          <Note tone="warn" icon="warning">
            {t('uiSessions.partOffer')}
          </Note>
        )}
      </div>
    </Dialog>
  );
}

function Choices<T extends string | number>({
  name,
  all,
  chosen,
  onChange,
}: {
  readonly name: string;
  readonly all: readonly T[];
  readonly chosen: readonly T[];
  readonly onChange: (chosen: readonly T[]) => void;
}) {
  return (
    <fieldset className="session-choices">
      <legend className="mono">{name}</legend>
      {all.map((item) => (
        <label key={item} className="row mono">
          <input
            type="checkbox"
            checked={chosen.includes(item)}
            onChange={(event) =>
              onChange(all.filter((one) => (one === item ? event.target.checked : chosen.includes(one))))
            }
          />
          {item}
        </label>
      ))}
    </fieldset>
  );
}
