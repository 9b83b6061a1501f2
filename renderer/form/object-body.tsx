import { type ReactNode, useState } from 'react';
import type { Json } from '../../shared/base/json.ts';
import type { JsonMember, JsonNode } from '../../shared/base/json-tree.ts';
import { useI18n } from '../ui/i18n.tsx';
import { Icon } from '../ui/icon.tsx';
import { SafeText } from '../ui/safe-text.tsx';
import { Badge, Button } from '../ui/widgets.tsx';
import { FieldAction } from './field-action.tsx';
import type { BodyProps, ControlProps } from './field-props.ts';
import { Fold } from './fold.tsx';
import { useForm } from './form-context.ts';
import { MemberName, NewMember } from './member-name.tsx';
import { childPointer, startText } from './values.ts';

const PAGE = 200;

type ObjectNode = Extract<JsonNode, { kind: 'object' }>;

/** The properties in the schema's order, then every other member in the text's. */
export function ObjectBody(props: BodyProps<ObjectNode>) {
  const { node, shape, path } = props;
  const { t } = useI18n();
  const [limit, setLimit] = useState(PAGE);
  const members = new Map(node.members.map((member) => [member.key, member]));
  const rows: ReactNode[] = [];
  for (const [name, schema] of shape.properties) {
    if (rows.length >= limit) break;
    const member = members.get(name);
    const required = shape.required.has(name);
    rows.push(
      member === undefined ? (
        <Absent key={name} parent={props} name={name} schema={schema} required={required} />
      ) : (
        <Present key={name} parent={props} member={member} schema={schema} required={required} />
      ),
    );
  }
  const others = node.members.filter(({ key }) => !shape.properties.has(key));
  for (const member of others) {
    if (rows.length >= limit) break;
    rows.push(<Present key={`other ${member.key}`} parent={props} member={member} schema={restOf(props)} other />);
  }
  const total = shape.properties.size + others.length;
  const open = shape.additional !== false || shape.patterns;
  return (
    <Fold {...props} count={node.members.length}>
      {rows}
      {total > limit ? (
        <button type="button" className="text-button form-more" onClick={() => setLimit(limit + PAGE)}>
          {t('shell.moreItems', { count: total - limit })}
        </button>
      ) : null}
      {total === 0 && !open ? <p className="fine dim">{t('uiForm.noMembers')}</p> : null}
      {open ? <NewMember path={path} pointer={props.pointer} schema={restOf(props)} taken={members} /> : null}
    </Fold>
  );
}

/** A name that a pattern may claim has a schema that the form does not know. */
function restOf({ shape }: ControlProps): Json {
  return shape.patterns || shape.additional === false ? true : shape.additional;
}

function Present({
  parent,
  member,
  schema,
  required = false,
  other = false,
}: {
  readonly parent: BodyProps<ObjectNode>;
  readonly member: JsonMember;
  readonly schema: Json;
  readonly required?: boolean;
  /** No property of the schema: its name can be changed. */
  readonly other?: boolean;
}) {
  const { t } = useI18n();
  const form = useForm();
  const { as: Field, node, source, shape } = parent;
  const { key, value } = member;
  const path = [...parent.path, key];
  const pointer = childPointer(parent.pointer, key);
  return (
    <Field
      schema={schema}
      path={path}
      pointer={pointer}
      node={value}
      source={source.slice(value.start - node.start, value.end - node.start)}
      name={key}
      required={required}
      actionsKey={other ? node.members.map((each) => each.key).join('\n') : ''}
      label={
        other ? (
          <MemberName path={path} name={key} taken={node.members} parent={parent.pointer}>
            {shape.additional === false && !shape.patterns ? (
              <Badge tone="warn" icon="warning">
                {t('uiForm.notInSchema')}
              </Badge>
            ) : null}
          </MemberName>
        ) : (
          <SafeText text={key} limit={120} fixed />
        )
      }
      actions={
        <FieldAction
          icon="cross"
          label={t('uiForm.remove', { name: key })}
          onClick={() => form.apply({ kind: 'remove', path }, { focus: other ? parent.pointer : pointer })}
        />
      }
    />
  );
}

/** A property that the text does not have: absent, which is not the same as empty. */
function Absent({
  parent,
  name,
  schema,
  required,
}: {
  readonly parent: ControlProps;
  readonly name: string;
  readonly schema: Json;
  readonly required: boolean;
}) {
  const { t } = useI18n();
  const form = useForm();
  const shape = form.reader.shape(schema);
  const pointer = childPointer(parent.pointer, name);
  const add = () =>
    form.apply(
      { kind: 'set', path: [...parent.path, name], valueText: startText(form.reader, schema) },
      { focus: pointer },
    );
  return (
    <div className="form-field absent" data-pointer={pointer}>
      <div className="form-name">
        <span className="form-label">
          <SafeText text={name} limit={120} fixed />
        </span>
        {required ? (
          <Badge tone="bad" icon="warning">
            {t('uiForm.requiredMissing')}
          </Badge>
        ) : (
          <span className="fine dim nowrap">{t('uiForm.notSet')}</span>
        )}
        {shape.description === null ? null : (
          <span className="fine dim ellipsis">
            <SafeText text={shape.description} limit={120} fixed />
          </span>
        )}
        <span className="grow" />
        <Button small look="quiet" data-focus={pointer} aria-label={t('uiForm.add', { name })} onClick={add}>
          <Icon name="plus" size={12} />
          {t('uiForm.addShort')}
        </Button>
      </div>
    </div>
  );
}
