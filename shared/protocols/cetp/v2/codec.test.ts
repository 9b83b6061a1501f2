import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { printJson } from '../../../base/json.ts';
import { translateIfKnown } from '../../../i18n/translate.ts';
import { Bundle } from '../../../model/bundle.ts';
import {
  ANNOTATIONS,
  FILE,
  fd,
  INFO,
  pendingIntent,
  string,
  success,
  TOOL,
  v2Context,
  v2Error,
  withKey,
} from '../testing/answers.ts';
import { v2Codec } from './codec.ts';
import { V2_ERROR_CODES } from './errors.ts';

const context = v2Context();

describe('requests', () => {
  test('every method but negotiate carries the four common extras (4.1)', () => {
    const common = [
      { key: 'protocol_version', t: 'int', v: 2 },
      { key: 'session_token', t: 'string', v: 'token-of-sixteen-bytes-or-more' },
      { key: 'request_id', t: 'string', v: context.requestId },
      { key: 'deadline_at_ms', t: 'long', v: String(context.deadlineAtMs) },
    ];
    expect(v2Codec.listTools(context)).toEqual({ method: 'list_tools', extras: common });
    expect(v2Codec.providerInfo(context)).toEqual({ method: 'get_provider_info', extras: common });
  });

  test('arguments go in as they were typed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (args, tool) => {
        const { extras } = v2Codec.executeTool(context, tool, args);
        expect(extras?.slice(4)).toEqual([
          { key: 'tool_name', t: 'string', v: tool },
          { key: 'args', t: 'string', v: args },
        ]);
      }),
    );
  });
});

describe('results', () => {
  const value = (data: string) => {
    const reading = v2Codec.readExecute(success(data), context);
    return reading.kind === 'value' ? reading.valueText : reading;
  };

  test('the value is the text of the Provider, digit by digit', () => {
    expect(value('{"kind":"inline","value": {"id":12345678901234567890,"p":1.10, "s":"\\u00e9"} }')).toBe(
      '{"id":12345678901234567890,"p":1.10, "s":"\\u00e9"}',
    );
    expect(value('{"value":null,"kind":"inline"}')).toBe('null');
  });

  test('any value comes back as it was written', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom('', ' ', '\n  '), (text, space) => {
        expect(value(`{"kind":"inline",${space}"value":${space}${text}${space}}`)).toBe(text.trim());
      }),
    );
  });

  test('of a repeated value the last one counts, with a finding', () => {
    const reading = v2Codec.readExecute(success('{"kind":"inline","value":1,"value":2}'), context);
    expect(reading).toMatchObject({ kind: 'value', valueText: '2', findings: [{ rule: 'data-duplicate-member' }] });
  });

  test('a file result carries its handle and its facts (4.5)', () => {
    const text = JSON.stringify(FILE).replace(':20', ':12345678901234567890');
    expect(v2Codec.readExecute([...success(text), fd(-1)], context)).toMatchObject({
      kind: 'file',
      handle: 'h2',
      file: { mediaType: 'application/json', sizeBytes: '12345678901234567890', sha256: FILE.sha256 },
    });
  });

  test('an operation that was not negotiated is still shown as what it is', () => {
    const answer = withKey(success({ operation_id: 'op', poll_after_ms: 9 }), 'status', string('status', 'accepted'));
    const reading = v2Codec.readExecute(answer, v2Context([]));
    expect(reading).toMatchObject({
      kind: 'outcome',
      outcome: { kind: 'accepted', operationId: 'op', pollAfterMs: 9 },
    });
  });
});

describe('errors (5)', () => {
  test('all fields are kept as they came', () => {
    const answer = v2Error('OUT_OF_CHEESE', true, [
      { key: 'retry_after_ms', t: 'long', v: '9223372036854775807' },
      string('error_details', '{"n":1.0}'),
    ]);
    expect(v2Codec.readExecute(answer, context)).toMatchObject({
      outcome: {
        kind: 'provider-error',
        errorCode: 'OUT_OF_CHEESE',
        known: false,
        errorMessage: 'It did not work.',
        retryable: true,
        retryAfterMs: '9223372036854775807',
        detailsText: '{"n":1.0}',
        bundle: answer,
      },
    });
  });

  test('a resolution is announced with its facts checked', () => {
    const answer = v2Error('AUTH_REQUIRED', true, [
      string('resume_token', 'r'),
      pendingIntent({ creatorPackage: null, immutable: null, kind: null }),
    ]);
    expect(v2Codec.readExecute(answer, context)).toMatchObject({ outcome: { hasResolution: true, findings: [] } });
  });

  test('without the package, the creator is held against the provider_id', () => {
    const { packageName: _, ...unknown } = context;
    const answer = (creatorPackage: string) =>
      v2Codec.readExecute(
        v2Error('AUTH_REQUIRED', true, [string('resume_token', 'r'), pendingIntent({ creatorPackage })]),
        unknown,
      );
    expect(answer('com.example')).toMatchObject({ outcome: { findings: [] } });
    expect(answer('com.evil')).toMatchObject({ outcome: { findings: [{ rule: 'resolution-foreign' }] } });
  });

  test('a list that failed is a problem and no empty list', () => {
    const more = [{ key: 'retry_after_ms', t: 'long' as const, v: '1500' }, string('error_details', '{"a":1}')];
    const reading = v2Codec.readTools(v2Error('NEGOTIATION_REQUIRED', true, more), context);
    expect(reading.problem).toEqual({
      code: 'provider-answered-error',
      params: {
        code: 'NEGOTIATION_REQUIRED',
        retryable: 'true',
        retry_after_ms: '1500',
        error_details: '{"a":1}',
      },
      raw: 'It did not work.',
    });
    expect(v2Codec.readTools(null, context).problem?.code).toBe('answer-null');
    expect(v2Codec.readTools([], context).problem?.code).toBe('answer-empty');
    expect(v2Codec.readTools(success({ revision: 'r' }), context).problem?.code).toBe('tools-unreadable');
    const deep = `${'['.repeat(250)}${']'.repeat(250)}`;
    expect(v2Codec.readTools(success(deep), context)).toMatchObject({
      problem: { code: 'answer-data-over-limit' },
    });
    expect(v2Codec.readProviderInfo(success('x'), context)).toMatchObject({
      info: null,
      problem: { code: 'answer-data-not-json' },
    });
  });

  test('every code of the table has its meaning in both languages', () => {
    for (const code of Object.keys(V2_ERROR_CODES)) {
      expect(translateIfKnown('en', `errorCode.${code}`), code).not.toBeNull();
      expect(translateIfKnown('zh-CN', `errorCode.${code}`), code).not.toBe(
        translateIfKnown('en', `errorCode.${code}`),
      );
    }
  });
});

describe('answers through the shell bridge', () => {
  const untyped = (bundle: Bundle): Bundle =>
    bundle.map((entry) => ({ key: entry.key, t: 'text', v: 'v' in entry ? String(entry.v) : 'null' }));

  test('are read without a finding on types', () => {
    expect(v2Codec.readExecute(untyped(success({ kind: 'inline', value: [1] })), context)).toEqual({
      kind: 'value',
      valueText: '[1]',
      findings: [],
    });
    expect(
      v2Codec.readExecute(
        untyped(v2Error('RATE_LIMITED', true, [{ key: 'retry_after_ms', t: 'long', v: '50' }])),
        context,
      ),
    ).toMatchObject({
      outcome: { errorCode: 'RATE_LIMITED', retryable: true, retryAfterMs: '50', findings: [] },
    });
  });

  test('a wrong echo is still seen', () => {
    const answer = untyped(withKey(success({ kind: 'inline', value: 1 }), 'request_id', string('request_id', 'x')));
    expect(v2Codec.readExecute(answer, context)).toMatchObject({ findings: [{ rule: 'echo-request-id-differs' }] });
  });
});

describe('lists', () => {
  test('a malformed entry costs no other and keeps all that it said', () => {
    const broken = { name: 'Bad Name', extra: { '2': 1, '1': 2 }, annotations: { effect: 'wipe', risk: 'low' } };
    const { tools, problem } = v2Codec.readTools(success({ revision: 'r', tools: [TOOL, broken, 7, TOOL_B] }), context);
    expect(problem).toBeNull();
    expect(tools.map((tool) => tool.row.state)).toEqual(['ok', 'malformed', 'malformed', 'ok']);
    expect(tools[1]?.row).toMatchObject({
      name: 'Bad Name',
      annotations: { effect: 'wipe', risk: 'low', confirmation: null },
    });
    expect(
      tools[1]?.row.findings.map((finding) => finding.rule).filter((rule) => rule.startsWith('annotation')),
    ).toEqual(['annotation-unknown-value', ...Array(5).fill('annotation-missing')]);
    expect(printJson(tools[1]?.raw ?? null)).toContain('"extra"');
  });

  test('a description is cut for the row only', () => {
    const description = `${'x'.repeat(399)}😀${'y'.repeat(1000)}`;
    const tool = v2Codec.readTools(success({ revision: 'r', tools: [{ ...TOOL, description }] }), context).tools[0];
    expect(tool?.row.description).toBe('x'.repeat(399));
    expect(tool?.row.descriptionLength).toBe(description.length);
    expect(tool?.description).toBe(description);
  });

  test('a broken constraint is flagged and leaves the tool callable', () => {
    const tool = { ...TOOL, annotations: { ...ANNOTATIONS, effect: 'delete' } };
    expect(v2Codec.readTools(success({ revision: 'r', tools: [tool] }), context).tools[0]?.row.state).toBe('ok');
  });

  test('whatever stands in the list, each entry has its row', () => {
    const entry = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(fc.constantFrom(...Object.keys(TOOL), '__proto__'), fc.jsonValue()),
    );
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 5 }), (entries) => {
        const { tools } = v2Codec.readTools(success({ revision: 'r', tools: entries }), context);
        expect(tools.map((tool) => tool.row.index)).toEqual(entries.map((_, index) => index));
        for (const { row } of tools) if (row.state === 'malformed') expect(row.findings.length).toBeGreaterThan(0);
      }),
    );
  });

  test('a hostile list of findings is bounded and says what it leaves out', () => {
    const scopes = Array.from({ length: 1000 }, () => 'BAD');
    const findings = v2Codec.readTools(success({ revision: 'r', tools: [{ ...TOOL, scopes }] }), context).tools[0]?.row
      .findings;
    expect(findings).toHaveLength(201);
    expect(findings?.at(-1)).toMatchObject({ rule: 'more-findings' });
  });
});

const TOOL_B = { ...TOOL, name: 'other_tool' };

test('the description of the Provider', () => {
  expect(v2Codec.readProviderInfo(success(INFO), context).info).toEqual({
    providerId: INFO.provider_id,
    providerName: INFO.provider_name,
    description: INFO.description,
    schemaDialect: INFO.schema_dialect,
    scopes: INFO.scopes,
    findings: [],
  });
});

test('any Bundle at all is read without an exception', () => {
  const entry = fc.record({
    key: fc.constantFrom(
      'status',
      'data',
      'request_id',
      'protocol_version',
      'error_code',
      'resolution',
      'result_fd',
      'x',
    ),
    t: fc.constantFrom('string', 'text', 'opaque', 'null', 'int'),
    v: fc.oneof(fc.constantFrom('success', 'accepted', 'error'), fc.json(), fc.integer()),
  });
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 8 }), (entries) => {
      const bundle = entries.flatMap((item) => {
        const fixed = item.t === 'opaque' ? { ...item, v: { class: 'c', text: String(item.v) } } : item;
        const parsed = Bundle.safeParse([fixed]);
        return parsed.success ? parsed.data : [];
      });
      v2Codec.readExecute(bundle, context);
      v2Codec.readTools(bundle, context);
      v2Codec.readProviderInfo(bundle, context);
    }),
  );
});
