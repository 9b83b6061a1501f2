import { memo, useId } from 'react';
import type { JsonKind, JsonNode } from '../../shared/base/json-tree.ts';
import { useI18n } from '../ui/i18n.tsx';
import { SafeText } from '../ui/safe-text.tsx';
import { Badge } from '../ui/widgets.tsx';
import { ArrayBody } from './array-body.tsx';
import type { ControlProps, FieldProps } from './field-props.ts';
import { useForm, useIssues } from './form-context.ts';
import { BooleanInput, ChoiceInput, NumberInput, StringInput } from './inputs.tsx';
import { ObjectBody } from './object-body.tsx';
import type { Shape } from './shape.ts';
import { TextPart } from './text-part.tsx';
import { startText } from './values.ts';

/** Objects and arrays below this are shown as text. */
const MAX_DEPTH = 12;

/** One value of the arguments, drawn by what the schema says of its place and by what stands there. */
export const Field = memo(
  FieldView,
  (a, b) =>
    a.schema === b.schema &&
    a.pointer === b.pointer &&
    a.source === b.source &&
    a.name === b.name &&
    a.required === b.required &&
    a.actionsKey === b.actionsKey,
);

function FieldView(props: FieldProps) {
  const { schema, node, pointer, path } = props;
  const { t } = useI18n();
  const id = useId();
  const form = useForm();
  const shape = form.reader.shape(schema);
  const structured = node.kind === 'object' || node.kind === 'array';
  const reason = reasonOf(shape, node, path.length);
  const nested = structured && reason === null;
  const described = `${id}-about`;
  const control = { ...props, shape, id, described };
  return (
    <div
      className={`form-field ${nested ? 'nested' : ''} ${path.length === 0 && nested ? 'form-root' : ''}`}
      data-pointer={pointer}
    >
      <div className="form-name">
        {nested || (node.kind === 'null' && shape.choices === null) ? (
          <span className="form-label" id={`${id}-name`}>
            {props.label}
          </span>
        ) : (
          <label className="form-label" htmlFor={id}>
            {props.label}
          </label>
        )}
        {props.required ? <Badge tone="accent">{t('uiCatalog.required')}</Badge> : null}
        <KindMark shape={shape} kind={node.kind} name={props.name} path={path} schema={schema} pointer={pointer} />
        {nested && props.actions !== undefined ? <span className="form-actions">{props.actions}</span> : null}
      </div>
      <div className="form-value">
        {reason !== null ? (
          <TextPart {...control} reason={reason} />
        ) : shape.choices !== null ? (
          <ChoiceInput {...control} choices={shape.choices} />
        ) : (
          <Body control={control} />
        )}
        <About id={described} shape={shape} pointer={pointer} inside={reason !== null} />
      </div>
      {nested || props.actions === undefined ? null : <span className="form-actions">{props.actions}</span>}
    </div>
  );
}

function Body({ control }: { readonly control: ControlProps }) {
  const { t } = useI18n();
  const { node } = control;
  switch (node.kind) {
    case 'object':
      return <ObjectBody {...control} node={node} as={Field} />;
    case 'array':
      return <ArrayBody {...control} node={node} as={Field} />;
    case 'string':
      return <StringInput {...control} value={node.value} />;
    case 'number':
      return <NumberInput {...control} />;
    case 'boolean':
      return <BooleanInput {...control} value={node.value} />;
    case 'null':
      return (
        <span id={control.id} className="mono dim form-null" data-focus={control.pointer} tabIndex={-1}>
          {t('uiForm.null')}
        </span>
      );
  }
}

/** Why this place is text, or null where it is drawn. */
function reasonOf(shape: Shape, node: JsonNode, depth: number) {
  if (node.kind === 'object' && node.repeats) return 'repeated';
  if (depth > MAX_DEPTH && (node.kind === 'object' || node.kind === 'array')) return 'too-deep';
  return shape.unshown;
}

/** The kind of the value: a word, or a choice where the schema leaves one. */
function KindMark({
  shape,
  kind,
  name,
  path,
  schema,
  pointer,
}: Pick<FieldProps, 'name' | 'path' | 'schema' | 'pointer'> & { readonly shape: Shape; readonly kind: JsonKind }) {
  const { t } = useI18n();
  const form = useForm();
  const word = (each: JsonKind) => t(`uiForm.kind.${each === 'number' && shape.integer ? 'integer' : each}`);
  if (shape.unshown !== null || shape.choices !== null) return null;
  const guessed = !shape.typed && shape.kinds[0] === kind && path.length === 0;
  const fits = shape.kinds.includes(kind);
  if ((fits && shape.kinds.length === 1) || guessed) return <span className="dim fine form-kind">{word(kind)}</span>;
  return (
    <select
      className="select fine form-kind-choice"
      aria-label={t('uiForm.kindOf', { name })}
      value={kind}
      onChange={(event) => {
        const next = event.target.value as JsonKind;
        form.apply({ kind: 'set', path, valueText: startText(form.reader, schema, next) }, { focus: pointer });
      }}
    >
      {fits ? null : <option value={kind}>{t('uiForm.kindNotAllowed', { kind: word(kind) })}</option>}
      {shape.kinds.map((each) => (
        <option key={each} value={each}>
          {word(each)}
        </option>
      ))}
    </select>
  );
}

/** The description, the limits and what the check says, in the order that helps while typing. */
function About({
  id,
  shape,
  pointer,
  inside,
}: {
  readonly id: string;
  readonly shape: Shape;
  readonly pointer: string;
  /** Whether the issues below this place have no field of their own. */
  readonly inside: boolean;
}) {
  const { t } = useI18n();
  const title = shape.title === null || shape.title === shape.description ? null : shape.title;
  return (
    <div id={id} className="form-about">
      <FieldIssues pointer={pointer} inside={inside} />
      {title === null ? null : (
        <div className="fine sub strong">
          <SafeText text={title} limit={120} />
        </div>
      )}
      {shape.description === null ? null : (
        <div className="fine sub">
          <SafeText text={shape.description} limit={220} block />
        </div>
      )}
      {shape.limits.length === 0 && shape.format === null && shape.defaultText === null ? null : (
        <div className="form-limits">
          {shape.format === null ? null : (
            <span className="schema-rule">
              <SafeText text={`format: ${shape.format}`} limit={80} />
            </span>
          )}
          {shape.limits.map((limit) => (
            <span key={limit} className="schema-rule">
              <SafeText text={limit} limit={120} />
            </span>
          ))}
          {shape.defaultText === null ? null : (
            <span className="schema-rule">
              <SafeText text={`default: ${shape.defaultText}`} limit={120} />
            </span>
          )}
        </div>
      )}
      {shape.further.length === 0 || shape.unshown !== null ? null : (
        <div className="fine dim">{t('uiForm.further', { keywords: shape.further.join(', ') })}</div>
      )}
    </div>
  );
}

/** What the host's check says of this place. A field's own rows follow the check without a new drawing of the field. */
function FieldIssues({ pointer, inside }: { readonly pointer: string; readonly inside: boolean }) {
  const { t } = useI18n();
  const issues = useIssues();
  const own = issues.at.get(pointer) ?? [];
  const below = inside ? issues.below(pointer) - own.length : 0;
  if (own.length === 0 && below === 0) return null;
  return (
    <ul className={`fine form-issues ${issues.outdated ? 'outdated' : ''}`}>
      {own.slice(0, 5).map((message) => (
        <li key={message} className="tone-bad toned">
          <SafeText text={message} limit={300} />
        </li>
      ))}
      {own.length > 5 ? <li className="tone-bad toned">{t('shell.moreItems', { count: own.length - 5 })}</li> : null}
      {below > 0 ? <li className="tone-bad toned">{t('uiForm.issuesInside', { count: below })}</li> : null}
    </ul>
  );
}
