import { expect, test } from 'vitest';
import type { ToolRow } from '../../../shared/model/catalog.ts';
import { filterTools, fromQuery, indexTools, NO_FILTER, toggle, toQuery, UNSET } from './catalog-filter.ts';

function tool(index: number, over: Partial<ToolRow> = {}, effect: string | null = 'read'): ToolRow {
  return {
    index,
    name: `tool_${index}`,
    title: null,
    description: '',
    descriptionLength: 0,
    state: 'ok',
    scopes: [],
    annotations: {
      effect,
      risk: null,
      destructive: null,
      idempotent: null,
      openWorld: null,
      confirmation: null,
      execution: null,
    },
    findings: [],
    consumerName: null,
    collidesWith: [],
    ...over,
  };
}

const tools = indexTools([
  tool(0, { description: 'Lists ORDERS', scopes: ['orders.read'] }),
  tool(1, { name: 'cancel_order', scopes: ['orders.write', 'a,b'] }, 'delete'),
  tool(2, { name: null, state: 'malformed' }, null),
]);

test('all terms must occur, in any letter case and any field', () => {
  expect(filterTools(tools, { ...NO_FILTER, text: 'order CANCEL' }).rows.map((row) => row.index)).toEqual([1]);
  expect(filterTools(tools, { ...NO_FILTER, text: ' orders. ' }).rows.map((row) => row.index)).toEqual([0, 1]);
});

test('values of a facet widen, facets narrow, "not declared" can be chosen', () => {
  const one = toggle(NO_FILTER, 'effect', 'delete');
  expect(filterTools(tools, one).rows.map((row) => row.index)).toEqual([1]);
  const two = toggle(one, 'effect', UNSET);
  expect(filterTools(tools, two).rows.map((row) => row.index)).toEqual([1, 2]);
  expect(filterTools(tools, toggle(two, 'findings', 'malformed')).rows.map((row) => row.index)).toEqual([2]);
});

test('counts of a facet do not count its own choice', () => {
  const { counts } = filterTools(tools, toggle(NO_FILTER, 'effect', 'delete'));
  expect(Object.fromEntries(counts.effect)).toEqual({ read: 1, delete: 1, [UNSET]: 1 });
  expect(Object.fromEntries(counts.scope)).toEqual({ 'orders.write': 1, 'a,b': 1 });
});

test('a tool of v1 has no value in the annotation facets', () => {
  const { counts } = filterTools(indexTools([tool(0, { annotations: null })]), NO_FILTER);
  expect(counts.effect.size).toBe(0);
});

test('the filter survives the address', () => {
  const filter = toggle(
    toggle(toggle({ ...NO_FILTER, text: 'a&b=+ c' }, 'scope', 'a,b'), 'effect', UNSET),
    'effect',
    '-',
  );
  expect(fromQuery(new URLSearchParams(new URLSearchParams(toQuery(filter)).toString()))).toEqual(filter);
});

test('finds one tool among 5,000', () => {
  const many = indexTools(Array.from({ length: 5000 }, (_, index) => tool(index)));
  expect(filterTools(many, { ...NO_FILTER, text: 'tool_4999' }).rows).toHaveLength(1);
});
