import type { Provider } from '../../shared/model/provider.ts';
import { type OfProvider, useSession } from '../connection/streams.ts';
import { useI18n } from '../ui/i18n.tsx';
import './parts.css';

/**
 * The protocol of a Provider in one word, or why it cannot be used: no
 * protocol, no way to call it, or a v2 negotiation that failed.
 */
export function ProtocolMark({ of, provider }: { readonly of: OfProvider; readonly provider: Provider }) {
  const { t, known } = useI18n();
  const reason = known(`protocolReason.${provider.protocolReason}`) ?? provider.protocolReason;
  if (provider.protocol === 'none') return <Mark look="none" word={t('uiProviders.unusable')} title={reason} />;
  if (provider.bridge === 'none') {
    const { bridgeProblem: why } = provider;
    const title = why === null ? '' : (known(`problem.${why.code}`, why.params) ?? why.code);
    return <Mark look="none" word={t('uiProviders.notCallable')} title={`${provider.protocol}. ${title}`} />;
  }
  if (provider.protocol === 'v2') return <NegotiatedMark of={of} title={reason} />;
  return <Mark look={provider.protocol} word={provider.protocol} title={reason} />;
}

function NegotiatedMark({ of, title }: { readonly of: OfProvider; readonly title: string }) {
  const { t } = useI18n();
  const { value } = useSession(of);
  if (value?.state !== 'failed') return <Mark look="v2" word="v2" title={title} />;
  return <Mark look="none" word={t('uiProviders.disabled')} title={`v2. ${t('uiProviders.noDowngrade')}`} />;
}

function Mark({
  look,
  word,
  title,
}: {
  readonly look: Provider['protocol'];
  readonly word: string;
  readonly title: string;
}) {
  return (
    <span className={`proto ${look}`} title={title}>
      {word}
    </span>
  );
}
