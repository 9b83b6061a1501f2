import { expect, it } from 'vitest';
import type { Bundle } from '../../shared/model/bundle.ts';
import type { EncodedCall } from '../bridge/bridge.ts';
import { createWorld, document, draft, negotiated, standard, TOKEN, target, tool, value } from './testing/scripted.ts';

/** A Provider that echoes the session token (v2 2.2) and a resume_token (4.3) wherever an answer has room. */

const RESUME = 'resume-0123456789abcdef';
const both = `${TOKEN} ${RESUME}`;
const escaped = [...TOKEN].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

const lists: Record<string, (call: EncodedCall) => Bundle> = {
  'a list': (call) =>
    document(call, {
      revision: TOKEN,
      [TOKEN]: TOKEN,
      tools: [
        tool(TOKEN, TOKEN, { title: TOKEN, description: TOKEN, scopes: [TOKEN], [TOKEN]: { [TOKEN]: [TOKEN] } }),
        TOKEN,
        tool('read_it', 'read', { input_schema: { $ref: TOKEN, $schema: TOKEN, const: TOKEN }, annotations: TOKEN }),
      ],
    }),
  'a list with the token in escapes': (call) => document(call, `{"revision":"${escaped}","tools":["${escaped}"]}`),
  'a status': () => [{ key: 'status', t: 'string', v: TOKEN }],
  'no JSON': (call) => document(call, `{${TOKEN}`),
  'no object': (call) => document(call, JSON.stringify(TOKEN)),
};

const executions: Record<string, (call: EncodedCall) => Bundle> = {
  'a value': (call) => value(call, { [both]: both, deep: JSON.stringify({ again: JSON.stringify(both) }) }),
  'a value in escapes': (call) => document(call, `{"kind":"inline","value":"${escaped}"}`),
  'a kind': (call) => document(call, { kind: both }),
  'a file': (call) => document(call, { kind: 'file', media_type: both, sha256: both, size_bytes: both }),
  'an operation': (call) => [
    ...document(call, { operation_id: both, poll_after_ms: both }).filter(({ key }) => key !== 'status'),
    { key: 'status', t: 'string', v: 'accepted' },
  ],
  'a confirmation': (call) => [
    { key: 'status', t: 'string', v: 'error' },
    { key: 'request_id', t: 'string', v: both },
    { key: 'error_code', t: 'string', v: both },
    { key: 'error_message', t: 'string', v: both },
    { key: 'error_details', t: 'string', v: `{"a":"${both}` },
    { key: 'resume_token', t: 'string', v: RESUME },
    { key: both, t: 'strings', v: [both, null] },
    { key: 'inner', t: 'bundle', v: [{ key: 'resume_token', t: 'string', v: RESUME }] },
    { key: 'bytes', t: 'bytes', v: Buffer.from(both).toString('base64') },
    { key: 'odd', t: 'unreadable', v: { class: both, error: both } },
    { key: 'session_token', t: 'string', v: call.method },
  ],
};

function expectHidden(shown: unknown): void {
  const text = JSON.stringify(shown);
  expect(text).toContain('⟦masked:');
  for (const secret of [TOKEN, RESUME, Buffer.from(both).toString('base64')]) expect(text).not.toContain(secret);
  expect(text.replaceAll('\\\\', '\\')).not.toContain(escaped);
}

it.each(Object.keys(lists))('%s that quotes the token', async (name) => {
  const { sessions, bridge, journal } = createWorld();
  await sessions.negotiate(target);
  bridge.script = (call) => (call.method === 'negotiate' ? negotiated() : (lists[name]?.(call) ?? standard(call)));
  const catalog = await sessions.catalog(target, true);
  const details = await Promise.all(catalog.tools.map((row) => sessions.tool(target, row.index)));
  const prepared = await sessions.prepare(draft());
  const { rows } = journal.history({ search: '', beforeSeq: null, limit: 50 });
  expectHidden([catalog, details, prepared, rows, rows.map((row) => journal.events(row.exchangeId))]);
});

it.each(Object.keys(executions))('%s that quotes both tokens', async (name) => {
  const { sessions, bridge, journal } = createWorld();
  await sessions.catalog(target, false);
  const confirmation = executions['a confirmation'];
  for (const answer of [confirmation, executions[name]]) {
    bridge.script = (call) => answer?.(call) ?? null;
    const prepared = await sessions.prepare(draft());
    const record = await sessions.run({ preparedId: prepared.id, confirmed: true, force: true });
    const { rows } = journal.history({ search: '', beforeSeq: null, limit: 50 });
    expectHidden([record, rows, rows.map((row) => journal.events(row.exchangeId))]);
  }
});
