import type { Annotations } from '../../shared/model/catalog.ts';
import { useI18n } from '../ui/i18n.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { SafeText } from '../ui/safe-text.tsx';
import { Badge, type Tone } from '../ui/widgets.tsx';
import './parts.css';

interface Look {
  readonly tone: Tone;
  readonly icon: IconName;
  readonly look?: 'soft' | 'outline' | 'solid';
}

const WORDS: Readonly<Record<'effect' | 'risk' | 'confirmation' | 'execution', Readonly<Record<string, Look>>>> = {
  effect: {
    read: { tone: 'info', icon: 'eye' },
    create: { tone: 'ok', icon: 'plus' },
    update: { tone: 'warn', icon: 'pencil' },
    delete: { tone: 'bad', icon: 'trash' },
    transaction: { tone: 'bad', icon: 'coins' },
  },
  risk: {
    low: { tone: 'ok', icon: 'bars1', look: 'outline' },
    moderate: { tone: 'warn', icon: 'bars2', look: 'outline' },
    high: { tone: 'bad', icon: 'bars3', look: 'solid' },
  },
  confirmation: {
    never: { tone: 'plain', icon: 'slash', look: 'outline' },
    provider_policy: { tone: 'plain', icon: 'shield', look: 'outline' },
    always: { tone: 'own', icon: 'hand', look: 'outline' },
  },
  execution: {
    sync: { tone: 'plain', icon: 'bolt', look: 'outline' },
    sync_or_async: { tone: 'plain', icon: 'hourglass', look: 'outline' },
  },
};

/** One of the four named annotations: declared and known, declared and unknown, or not declared. */
export function WordBadge({
  facet,
  value,
  compact = false,
}: {
  readonly facet: keyof typeof WORDS;
  readonly value: string | null;
  /** For rows: "not declared" as a dashed name with a question mark; the whole is in the tooltip. */
  readonly compact?: boolean;
}) {
  const { t, known } = useI18n();
  const name = t(`uiCatalog.facet.${facet}`);
  if (value === null) {
    return (
      <Badge look="dashed" icon="question" title={t('uiCatalog.notDeclaredOf', { name })}>
        {compact ? name : t('uiCatalog.undeclared', { name })}
        {compact ? <span className="sr-only">: {t('common.notDeclared')}</span> : null}
      </Badge>
    );
  }
  const look = Object.hasOwn(WORDS[facet], value) ? WORDS[facet][value] : undefined;
  if (look === undefined) {
    return (
      <Badge tone="warn" look="outline" icon="warning" title={t('uiCatalog.unknownValueOf', { name })}>
        {name}: <SafeText text={value} limit={24} fixed />
      </Badge>
    );
  }
  const word = known(`uiCatalog.${facet}.${value}`) ?? value;
  return (
    <Badge tone={look.tone} look={look.look ?? 'soft'} icon={look.icon} title={`${name}: ${value}`}>
      {word}
    </Badge>
  );
}

const FLAGS = [
  { key: 'destructive', icon: 'flame' },
  { key: 'idempotent', icon: 'repeat' },
  { key: 'openWorld', icon: 'globe' },
] as const;

/** The three yes-or-no annotations; filled with a tick, outlined with a stroke, or dashed with a question mark. */
export function FlagBadges({ annotations }: { readonly annotations: Annotations }) {
  const { t } = useI18n();
  return FLAGS.map(({ key, icon }) => {
    const value = annotations[key];
    const state = value === null ? 'unset' : value ? 'yes' : 'no';
    const name = t(`uiCatalog.flag.${key}`);
    const stateWord = value === null ? t('common.notDeclared') : value ? t('common.yes') : t('common.no');
    const danger = key === 'destructive' && value === true;
    return (
      <span key={key} className={`flag ${state} ${danger ? 'danger' : ''}`} title={`${name}: ${stateWord}`}>
        <Icon name={icon} size={11} />
        <span className="flag-word">{name}</span>
        <span className="sr-only">: </span>
        <Icon name={value === null ? 'question' : value ? 'check' : 'cross'} size={9} />
        <span className="sr-only">{stateWord}</span>
      </span>
    );
  });
}

/** The signs of the flags with their words, for lists too narrow to have both in each row. */
export function FlagLegend() {
  const { t } = useI18n();
  return (
    <span className="flag-legend row dim fine" aria-hidden="true">
      {FLAGS.map(({ key, icon }) => (
        <span key={key} className="nowrap">
          <Icon name={icon} size={11} /> {t(`uiCatalog.flag.${key}`)}
        </span>
      ))}
    </span>
  );
}
