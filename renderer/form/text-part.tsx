import { parseJson } from '../../shared/base/json.ts';
import { useI18n } from '../ui/i18n.tsx';
import { SafeText } from '../ui/safe-text.tsx';
import { Button } from '../ui/widgets.tsx';
import type { ControlProps } from './field-props.ts';
import { useForm, useIssues } from './form-context.ts';
import { NotApplied } from './inputs.tsx';
import type { TextReason } from './schema-parts.ts';
import { useHeld } from './use-held.ts';
import { isPlainText } from './values.ts';

/** Longer parts are edited in the text itself. */
const MAX_LENGTH = 20_000;

/** A part that the form does not show: its JSON text, why, and the way to edit it. */
export function TextPart({ reason, ...props }: ControlProps & { readonly reason: TextReason }) {
  const { t } = useI18n();
  const form = useForm();
  const { source, path } = props;
  const fits = source.length <= MAX_LENGTH && isPlainText(source);
  return (
    <div className="form-part">
      <p className="fine dim">{t(`uiForm.reason.${reason}`)}</p>
      {fits ? (
        <PartEditor {...props} />
      ) : (
        <pre id={props.id} className="raw-box">
          <SafeText text={source} limit={400} block />
        </pre>
      )}
      <Button small icon="pencil" onClick={() => form.openText(path)}>
        {t('uiForm.editAsText')}
      </Button>
    </div>
  );
}

function PartEditor({ id, pointer, path, source, described }: ControlProps) {
  const { t } = useI18n();
  const form = useForm();
  const issues = useIssues();
  const held = useHeld(
    pointer,
    source,
    (text) => parseJson(text).ok,
    (text) => form.apply({ kind: 'set', path, valueText: text.trim(), verbatim: true }, { group: pointer }),
  );
  return (
    <>
      <textarea
        id={id}
        data-focus={pointer}
        aria-describedby={described}
        aria-invalid={held.held || issues.at.has(pointer)}
        className="text-input mono form-text"
        rows={2}
        value={held.shown}
        spellCheck={false}
        onKeyDown={held.onKeyDown}
        onChange={(event) => held.change(event.target.value)}
      />
      {held.held ? <NotApplied source={source} reason={t('uiForm.notJson')} /> : null}
    </>
  );
}
