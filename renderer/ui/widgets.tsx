import type { ButtonHTMLAttributes, KeyboardEvent, MouseEvent, ReactNode } from 'react';
import { useEffect, useRef, useState } from 'react';
import { useI18n } from './i18n.tsx';
import { Icon, type IconName } from './icon.tsx';

export type Tone = 'ok' | 'warn' | 'bad' | 'own' | 'info' | 'accent' | 'plain';

/** A word with an icon; never colour alone. `dashed` stands for "not declared" and "unknown". */
export function Badge({
  tone = 'plain',
  look = 'soft',
  icon,
  title,
  children,
}: {
  readonly tone?: Tone;
  readonly look?: 'soft' | 'outline' | 'dashed' | 'solid';
  readonly icon?: IconName;
  readonly title?: string;
  readonly children: ReactNode;
}) {
  return (
    <span className={`badge tone-${tone} ${look}`} title={title}>
      {icon === undefined ? null : <Icon name={icon} size={11} />}
      {children}
    </span>
  );
}

export function Button({
  icon,
  look,
  small = false,
  act = false,
  children,
  ...rest
}: {
  readonly icon?: IconName;
  readonly look?: 'primary' | 'danger' | 'quiet';
  readonly small?: boolean;
  /**
   * It sends or decides something. A double click and a held key do it once, also where the first click put another
   * act in the same place.
   */
  readonly act?: boolean;
} & ButtonHTMLAttributes<HTMLButtonElement>) {
  const classes = ['btn', look, small ? 'fine' : '', children === undefined ? 'icon-only' : ''];
  return (
    <button type="button" {...rest} {...(act ? once(rest) : {})} className={classes.filter(Boolean).join(' ')}>
      {icon === undefined ? null : <Icon name={icon} size={14} />}
      {children}
    </button>
  );
}

function once({ onClick, onKeyDown }: ButtonHTMLAttributes<HTMLButtonElement>) {
  return {
    // Clicks close together in one place are counted by the browser, whatever stands there.
    onClick: (event: MouseEvent<HTMLButtonElement>) => (event.detail > 1 ? undefined : onClick?.(event)),
    onKeyDown: (event: KeyboardEvent<HTMLButtonElement>) => {
      if (event.repeat && event.key === 'Enter') event.preventDefault();
      onKeyDown?.(event);
    },
  };
}

export function Note({
  tone,
  icon,
  title,
  children,
  alert = false,
}: {
  readonly tone: Tone;
  readonly icon: IconName;
  readonly title?: ReactNode;
  readonly children?: ReactNode;
  readonly alert?: boolean;
}) {
  return (
    <div className={`note tone-${tone}`} role={alert ? 'alert' : undefined}>
      <Icon name={icon} />
      <div className="note-body">
        {title === undefined ? null : <div className="note-title">{title}</div>}
        {children}
      </div>
    </div>
  );
}

export function Blank({
  icon,
  title,
  children,
}: {
  readonly icon: IconName;
  readonly title: ReactNode;
  readonly children?: ReactNode;
}) {
  return (
    <div className="blank">
      <Icon name={icon} size={28} />
      <h2>{title}</h2>
      {children}
    </div>
  );
}

export function Loading({ label }: { readonly label?: string }) {
  const { t } = useI18n();
  return (
    <div className="blank" role="status">
      <span className="spinner" />
      <span className="dim">{label ?? t('shell.loading')}</span>
    </div>
  );
}

export function CopyButton({ text, label }: { readonly text: string; readonly label?: string }) {
  const { t } = useI18n();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1500);
    return () => clearTimeout(timer);
  }, [copied]);
  const name = copied ? t('common.copied') : (label ?? t('common.copy'));
  return (
    <Button
      small
      look="quiet"
      icon={copied ? 'check' : 'copy'}
      aria-label={name}
      title={name}
      onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
    />
  );
}

/** A modal dialog; Escape closes it, focus returns to where it was. */
export function Dialog({
  title,
  onClose,
  children,
  footer,
}: {
  readonly title: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly footer?: ReactNode;
}) {
  const { t } = useI18n();
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = ref.current;
    const before = document.activeElement;
    dialog?.showModal();
    dialog?.querySelector<HTMLElement>('[data-autofocus]')?.focus();
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={ref}
      className="dialog"
      aria-labelledby="dialog-title"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <div className="dialog-head">
        <h2 id="dialog-title">{title}</h2>
        <Button look="quiet" small icon="cross" aria-label={t('common.close')} onClick={onClose} />
      </div>
      <div className="dialog-body">{children}</div>
      {footer === undefined ? null : <div className="dialog-foot">{footer}</div>}
    </dialog>
  );
}

export function Segmented<T extends string>({
  label,
  value,
  options,
  onChange,
}: {
  readonly label: string;
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly label: string }[];
  readonly onChange: (value: T) => void;
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out inline in all engines
    <div className="segmented" role="group" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </button>
      ))}
    </div>
  );
}

export function Card({
  title,
  actions,
  children,
  flush = false,
}: {
  readonly title: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  /** No padding: for tables and lists. */
  readonly flush?: boolean;
}) {
  return (
    <section className="card">
      <div className="card-head">
        <h2 className="grow">{title}</h2>
        {actions}
      </div>
      {flush ? children : <div className="card-body">{children}</div>}
    </section>
  );
}
