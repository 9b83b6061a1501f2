import type { KeyboardEvent } from 'react';
import { cutText, parseJson } from '../../shared/base/json.ts';
import { useI18n } from '../ui/i18n.tsx';
import { SafeText } from '../ui/safe-text.tsx';
import type { ControlProps } from './field-props.ts';
import { useForm, useIssues } from './form-context.ts';
import type { Choice } from './shape.ts';
import { useHeld } from './use-held.ts';
import { isNumberToken, isPlainText, visibleToken } from './values.ts';

function useControl({ id, pointer, described, path }: ControlProps) {
  const form = useForm();
  const issues = useIssues();
  return {
    // The keyboard goes along where a text becomes one that another control has to hold.
    put: (valueText: string) => form.apply({ kind: 'set', path, valueText }, { group: pointer, focus: pointer }),
    attributes: {
      id,
      'data-focus': pointer,
      'aria-describedby': described,
      'aria-invalid': issues.at.has(pointer),
    },
  };
}

export function StringInput(props: ControlProps & { readonly value: string }) {
  const { t } = useI18n();
  const { put, attributes } = useControl(props);
  const { value, shape } = props;
  if (!isPlainText(value)) return <TokenInput {...props} />;
  const long = shape.long || value.length > 80 || value.includes('\n');
  const onKeyDown = (event: KeyboardEvent) => {
    // A new line in a short text is asked for; in a long one it is what Enter does.
    if (event.key === 'Enter' && !long && !event.shiftKey && !event.nativeEvent.isComposing) event.preventDefault();
  };
  return (
    <textarea
      {...attributes}
      className="text-input form-text"
      rows={1}
      value={value}
      title={long ? undefined : t('uiForm.newLine')}
      spellCheck={false}
      onKeyDown={onKeyDown}
      onChange={(event) => put(JSON.stringify(event.target.value))}
    />
  );
}

/** A string with characters that a text box would change or hide, as its JSON token. */
function TokenInput(props: ControlProps & { readonly value: string }) {
  const { t } = useI18n();
  const { put, attributes } = useControl(props);
  const held = useHeld(props.pointer, visibleToken(props.value), isStringToken, put);
  return (
    <>
      <input
        {...attributes}
        className="text-input mono"
        value={held.shown}
        spellCheck={false}
        aria-invalid={held.held || attributes['aria-invalid']}
        onKeyDown={held.onKeyDown}
        onChange={(event) => held.change(event.target.value)}
      />
      <p className="fine dim">{t('uiForm.asToken')}</p>
      {held.held ? <NotApplied source={props.source} reason={t('uiForm.notString')} /> : null}
    </>
  );
}

export function NumberInput(props: ControlProps) {
  const { t } = useI18n();
  const { put, attributes } = useControl(props);
  const held = useHeld(props.pointer, props.source, isNumberToken, put);
  return (
    <>
      <input
        {...attributes}
        className="text-input mono"
        value={held.shown}
        inputMode="decimal"
        spellCheck={false}
        autoComplete="off"
        aria-invalid={held.held || attributes['aria-invalid']}
        onKeyDown={held.onKeyDown}
        onChange={(event) => held.change(event.target.value)}
      />
      {held.held ? <NotApplied source={props.source} reason={t('uiForm.notNumber')} /> : null}
    </>
  );
}

export function BooleanInput(props: ControlProps & { readonly value: boolean }) {
  const { put, attributes } = useControl(props);
  return (
    <select
      {...attributes}
      className="select mono form-short"
      value={String(props.value)}
      onChange={(event) => put(event.target.value)}
    >
      <option value="true">true</option>
      <option value="false">false</option>
    </select>
  );
}

/** A closed list. A value that is not in it stays, and is named as what it is. */
export function ChoiceInput(props: ControlProps & { readonly choices: readonly Choice[] }) {
  const { t } = useI18n();
  const { put, attributes } = useControl(props);
  const { choices, source } = props;
  const bare = choices.every(({ text }) => text.startsWith('"'));
  const shown = (text: string) => printed(text, bare);
  const at = choices.findIndex(({ text }) => text === source || sameValue(text, source));
  return (
    <select
      {...attributes}
      className="select mono"
      value={at < 0 ? 'own' : String(at)}
      onChange={(event) => {
        const choice = choices[Number(event.target.value)];
        if (choice !== undefined) put(choice.text);
      }}
    >
      {at < 0 ? <option value="own">{t('uiForm.notInList', { value: shown(source) })}</option> : null}
      {choices.map((choice, index) => (
        <option key={choice.text} value={index}>
          {choice.title === null
            ? shown(choice.text)
            : `${shown(choice.text)} · ${printed(JSON.stringify(choice.title), true)}`}
        </option>
      ))}
    </select>
  );
}

/** What is in the field is not in the text: whoever runs the call must know which of the two is sent. */
export function NotApplied({ source, reason }: { readonly source: string; readonly reason: string }) {
  const { t } = useI18n();
  return (
    <p className="fine tone-bad toned" role="status">
      {reason} {t('uiForm.stillHolds')}{' '}
      <code>
        <SafeText text={source} limit={60} fixed />
      </code>
    </p>
  );
}

function isStringToken(text: string): boolean {
  return text.startsWith('"') && parseJson(text).ok;
}

/** A string of the schema and the same one with other escapes in the text. */
function sameValue(a: string, b: string): boolean {
  if (!a.startsWith('"') || !b.startsWith('"')) return false;
  const [left, right] = [parseJson(a), parseJson(b)];
  return left.ok && right.ok && left.value.value === right.value.value;
}

/**
 * The text of an option: no markup is possible there, so what hides is escaped.
 * A string goes without its quotes where there is nothing else to tell it from.
 */
function printed(jsonText: string, bare: boolean): string {
  const parsed = jsonText.startsWith('"') ? parseJson(jsonText) : null;
  const value = parsed?.ok ? parsed.value.value : null;
  if (typeof value !== 'string') return cutText(jsonText, 120);
  const token = visibleToken(value);
  return cutText(bare && value !== '' && token === `"${value}"` ? value : token, 120);
}
