import { Button } from '../ui/widgets.tsx';

/** A small button beside a name. */
export function FieldAction({
  icon,
  label,
  onClick,
  disabled = false,
  focusKey,
}: {
  readonly icon: 'cross' | 'up' | 'down';
  readonly label: string;
  readonly onClick: () => void;
  readonly disabled?: boolean;
  /** The name by which the keyboard is sent here. */
  readonly focusKey?: string;
}) {
  return (
    <Button
      small
      look="quiet"
      icon={icon}
      aria-label={label}
      title={label}
      disabled={disabled}
      data-focus={focusKey}
      onClick={onClick}
    />
  );
}
