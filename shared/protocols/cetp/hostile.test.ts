import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Bundle } from '../../model/bundle.ts';
import { findCollisions } from './common/consumer-names.ts';
import { v2Codec } from './v2/codec.ts';
import { readNegotiation } from './v2/negotiate.ts';

/** Answers of one message (4 MiB) that would take minutes where work grows with the square of a list (v2 7.3). */

const MANY = 300_000;
const texts = Array.from({ length: MANY }, (_, index) => `a${index.toString(36)}`);

const success = (data: unknown): Bundle => [
  { key: 'status', t: 'string', v: 'success' },
  { key: 'data', t: 'string', v: JSON.stringify(data) },
];

const context = { requestId: '3b241101-e2bb-4255-8caf-4136c566a962', deadlineAtMs: 1, session: null };

test('v2 7.3: a negotiation with hundreds of thousands of capabilities', () => {
  const reading = readNegotiation(success({ selected_version: 2, capabilities: texts }), 0);
  expect(reading.otherCapabilities).toHaveLength(MANY);
  expect(reading.findings.at(-1)).toMatchObject({ rule: 'more-findings' });
});

test('v2 7.3: a tool with hundreds of thousands of scopes', () => {
  const reading = v2Codec.readTools(success({ revision: 'r', tools: [{ name: 'x', scopes: texts }] }), context);
  expect(reading.tools[0]?.row.scopes).toHaveLength(MANY);
});

test('v2 7.3: a list that repeats one name hundreds of thousands of times', () => {
  const tool = { providerKey: 'p/A', tool: 'same', consumerName: 'p/same' };
  const collisions = findCollisions(Array.from({ length: MANY }, (_, index) => ({ ...tool, index })));
  expect(collisions.size).toBe(MANY);
  expect(collisions.get(`p/A#${MANY - 1}`)).toEqual(['p/A#same']);
});

test('v2 7.3: a list of more entries than any screen holds is read to a bound, and says so', () => {
  const { tools, findings, problem } = v2Codec.readTools(
    success({ revision: 'r', tools: Array(MANY).fill(0) }),
    context,
  );
  expect(problem).toBeNull();
  expect(tools).toHaveLength(20_000);
  expect(findings.at(-1)).toMatchObject({ rule: 'tools-over-limit', params: { count: MANY, limit: 20_000 } });
  expect(tools.at(-1)?.row.findings).toMatchObject([{ rule: 'tool-not-object' }]);
});

test('v2 7.3: the findings of all tools together are bounded, and each tool says what it leaves out', () => {
  const entry = { name: 'x', scopes: Array(300).fill('') };
  const { tools } = v2Codec.readTools(success({ revision: 'r', tools: Array(1_000).fill(entry) }), context);
  const all = tools.flatMap((tool) => tool.row.findings);
  expect(all.filter((finding) => finding.rule !== 'more-findings')).toHaveLength(50_000);
  expect(tools.at(-1)?.row).toMatchObject({ state: 'malformed', findings: [{ rule: 'more-findings' }] });
});

describe('v2 7.3: an entry that nests too deep', () => {
  const deep = `{"name":"deep","input_schema":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}`;
  const list = (data: string) =>
    v2Codec.readTools([...success({}).slice(0, 1), { key: 'data', t: 'string', v: data }], context);

  test('costs only itself, and its text is kept', () => {
    const { tools, revision, problem } = list(
      `{"x":1,"tools":[{"name":"a"},${deep} ,{"name":"c\\u0064]"}],"revision":"r7"}`,
    );
    expect(problem).toBeNull();
    expect(revision).toBe('r7');
    expect(tools.map((tool) => tool.row.name)).toEqual(['a', null, 'cd]']);
    expect(tools[1]).toMatchObject({ raw: deep, row: { state: 'malformed', findings: [{ rule: 'tool-over-limit' }] } });
  });

  test('beside what is no JSON it is a list that was not had', () => {
    for (const data of [
      `{"tools":[${deep},}`,
      `{"tools":[${deep},oops]}`,
      `{"\\q":1,"tools":[${deep}]}`,
      `[${deep}]`,
    ]) {
      const { tools, problem } = list(data);
      expect(tools).toEqual([]);
      expect(problem?.code).toMatch(/^answer-data-(not-json|over-limit)$/);
    }
  });

  test('whatever is cut out of it, the reading ends', () => {
    fc.assert(
      fc.property(fc.nat({ max: 12_000 }), fc.nat({ max: 40 }), (at, length) => {
        const whole = `{"revision":"r","tools":[{"name":"a"},${deep}]}`;
        const reading = list(whole.slice(0, at) + whole.slice(at + length));
        expect(reading.problem !== null || reading.tools.length > 0).toBe(true);
      }),
      { numRuns: 50 },
    );
  });
});
