import { expect, test } from 'vitest';
import { InstrumentationParser, type InstrumentationReport } from './instrumentation-output.ts';

function parse(text: string, cut = text.length): InstrumentationReport[] {
  const parser = new InstrumentationParser();
  const reports: InstrumentationReport[] = [];
  for (let at = 0; at < text.length; at += cut) reports.push(...parser.push(text.slice(at, at + cut)));
  return [...reports, ...parser.end()];
}

const started =
  'INSTRUMENTATION_STATUS: cetp.protocol=1\nINSTRUMENTATION_STATUS: cetp.socket=cetp-7f\nINSTRUMENTATION_STATUS_CODE: 0\n';

test.each([1, 7, 1_000])('a status, cut into pieces of %i characters', (cut) => {
  expect(parse(started, cut)).toEqual([
    {
      kind: 'status',
      values: new Map([
        ['cetp.protocol', '1'],
        ['cetp.socket', 'cetp-7f'],
      ]),
      code: 0,
    },
  ]);
});

test('line ends of a terminal, values with = and over several lines', () => {
  expect(parse('INSTRUMENTATION_STATUS: stack=a=b\r\n\tat x\r\nINSTRUMENTATION_STATUS_CODE: -2\r\n')).toEqual([
    { kind: 'status', values: new Map([['stack', 'a=b\n\tat x']]), code: -2 },
  ]);
});

test.each<[string, InstrumentationReport[]]>([
  [
    'INSTRUMENTATION_RESULT: shortMsg=Process crashed.\nINSTRUMENTATION_CODE: 0\n',
    [{ kind: 'ended', values: new Map([['shortMsg', 'Process crashed.']]), code: 0 }],
  ],
  ['INSTRUMENTATION_CODE: -1\n', [{ kind: 'ended', values: new Map(), code: -1 }]],
  ['INSTRUMENTATION_CODE: -1', [{ kind: 'ended', values: new Map(), code: -1 }]],
  [
    'INSTRUMENTATION_ABORTED: System has crashed.\n',
    [{ kind: 'aborted', text: 'INSTRUMENTATION_ABORTED: System has crashed.' }],
  ],
  [
    'android.util.AndroidException: INSTRUMENTATION_FAILED: a/b\n',
    [{ kind: 'refused', text: 'android.util.AndroidException: INSTRUMENTATION_FAILED: a/b' }],
  ],
  ['WARNING: linker: something\n', []],
])('%s', (text, reports) => {
  expect(parse(text)).toEqual(reports);
});

test('endless output is not kept', () => {
  const parser = new InstrumentationParser();
  for (let i = 0; i < 100; i++) parser.push(`INSTRUMENTATION_STATUS: k${i}=${'x'.repeat(10_000)}\n`);
  const [report] = parser.push('INSTRUMENTATION_STATUS_CODE: 0\n');
  expect(report?.kind === 'status' && [...report.values.values()].join('').length).toBeLessThanOrEqual(64 * 1024);
  parser.push('y'.repeat(1_000_000));
  expect(parser.tail).toHaveLength(4_000);
});
