import { useState } from 'react';
import { isJsonObject } from '../../shared/base/json.ts';
import type { JsonNode } from '../../shared/base/json-tree.ts';
import { useI18n } from '../ui/i18n.tsx';
import { Button } from '../ui/widgets.tsx';
import { FieldAction } from './field-action.tsx';
import type { BodyProps } from './field-props.ts';
import { Fold } from './fold.tsx';
import { useForm } from './form-context.ts';
import { childPointer, startText } from './values.ts';

const PAGE = 100;

type ArrayNode = Extract<JsonNode, { kind: 'array' }>;

/** The items in order, each with its place; they are added at the end and moved step by step. */
export function ArrayBody(props: BodyProps<ArrayNode>) {
  const { node, shape, path, pointer, source, as: Field } = props;
  const { t } = useI18n();
  const form = useForm();
  const [limit, setLimit] = useState(PAGE);
  const count = node.items.length;
  const schemaAt = (index: number) => shape.tuple[index] ?? shape.items;
  const at = (index: number) => childPointer(pointer, index);
  const next = schemaAt(count);
  return (
    <Fold {...props} count={count}>
      {node.items.slice(0, limit).map((item, index) => {
        const own = [...path, index];
        // The keyboard stays on the button that it moves the item with, as long as that works.
        const step = (by: -1 | 1) => {
          const to = index + by;
          const word = to === 0 ? 'down' : to === count - 1 ? 'up' : by < 0 ? 'up' : 'down';
          form.apply({ kind: 'swap', path, index: Math.min(index, to) }, { focus: `${at(to)} ${word}` });
        };
        return (
          <Field
            // The place is what an item is known by: nothing else about it is its own.
            key={at(index)}
            schema={schemaAt(index)}
            path={own}
            pointer={at(index)}
            node={item}
            source={source.slice(item.start - node.start, item.end - node.start)}
            name={t('uiForm.item', { number: index + 1 })}
            label={t('uiForm.item', { number: index + 1 })}
            required={false}
            actionsKey={String(count)}
            actions={
              <>
                <FieldAction
                  icon="up"
                  label={t('uiForm.moveUp', { number: index + 1 })}
                  disabled={index === 0}
                  focusKey={`${at(index)} up`}
                  onClick={() => step(-1)}
                />
                <FieldAction
                  icon="down"
                  label={t('uiForm.moveDown', { number: index + 1 })}
                  disabled={index === count - 1}
                  focusKey={`${at(index)} down`}
                  onClick={() => step(1)}
                />
                <FieldAction
                  icon="cross"
                  label={t('uiForm.remove', { name: t('uiForm.item', { number: index + 1 }) })}
                  onClick={() =>
                    form.apply(
                      { kind: 'remove', path: own },
                      { focus: count === 1 ? pointer : at(Math.max(0, index - 1)) },
                    )
                  }
                />
              </>
            }
          />
        );
      })}
      {count > limit ? (
        <button type="button" className="text-button form-more" onClick={() => setLimit(limit + PAGE)}>
          {t('shell.moreItems', { count: count - limit })}
        </button>
      ) : null}
      {next === false ? null : (
        <div className="form-new">
          <Button
            small
            icon="plus"
            onClick={() => {
              setLimit(Math.max(limit, count + 1));
              const valueText = startText(form.reader, isJsonObject(next) ? next : true);
              form.apply({ kind: 'add-item', path, valueText }, { focus: at(count) });
            }}
          >
            {t('uiForm.addItem')}
          </Button>
        </div>
      )}
    </Fold>
  );
}
