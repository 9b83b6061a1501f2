import { createContext, use } from 'react';
import type { JsonOperation } from '../../shared/base/json-edit.ts';
import type { JsonPath } from '../../shared/base/json-tree.ts';
import type { ShapeReader } from './shape.ts';

/** What every field needs of its form; it never changes while the form is open. */
export interface FormActions {
  readonly reader: ShapeReader;
  /**
   * Changes the text by this one step. `focus` is the JSON pointer of the field
   * that the keyboard goes to. Steps of the same `group` are undone together.
   */
  apply(operation: JsonOperation, options?: { readonly focus?: string; readonly group?: string }): void;
  /** A field holds something that is not in the text; null once it does not. */
  unapplied(key: string, held: boolean): void;
  /** Shows the text, with the cursor at this value. */
  openText(path: JsonPath): void;
}

/** What the check says of the text, by JSON pointer. */
export interface FormIssues {
  readonly at: ReadonlyMap<string, readonly string[]>;
  /** Number of issues at or below a pointer. */
  below(pointer: string): number;
  /** The check is of an older text. */
  readonly outdated: boolean;
}

export const FormContext = createContext<FormActions | null>(null);
export const IssuesContext = createContext<FormIssues>({ at: new Map(), below: () => 0, outdated: false });

export function useForm(): FormActions {
  const form = use(FormContext);
  if (form === null) throw new Error('no form above');
  return form;
}

export function useIssues(): FormIssues {
  return use(IssuesContext);
}
