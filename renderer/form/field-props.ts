import type { ComponentType, ReactNode } from 'react';
import type { Json } from '../../shared/base/json.ts';
import type { JsonNode, JsonPath } from '../../shared/base/json-tree.ts';
import type { Shape } from './shape.ts';

export interface FieldProps {
  readonly schema: Json;
  readonly path: JsonPath;
  readonly pointer: string;
  /** The value and its text; its offsets count from `node.start`. */
  readonly node: JsonNode;
  readonly source: string;
  /** What the field is called: a member's name, or an item's number. */
  readonly label: ReactNode;
  /** The same as plain text, for controls that have no label of their own. */
  readonly name: string;
  readonly required: boolean;
  /** Buttons beside the name: remove, move. */
  readonly actions?: ReactNode;
  /** Changes when `actions` or `label` do. */
  readonly actionsKey?: string;
}

export interface ControlProps extends FieldProps {
  readonly shape: Shape;
  readonly id: string;
  /** Id of the texts about the field. */
  readonly described: string;
}

/** A body draws its parts by the component that drew it. */
export interface BodyProps<N> extends ControlProps {
  readonly node: N & JsonNode;
  readonly as: ComponentType<FieldProps>;
}
