import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseContentCall } from './parse-content-call.ts';
import { javaHash } from './split-bundle-text.ts';

function read(stdout: string, stderr = '', sdk: number | null = 34) {
  return parseContentCall({ stdout, stderr, sdk });
}

/** The pairs of an answer that was taken apart, or the reason why not. */
function pairs(printed: string, sdk = 34): Record<string, string> | string {
  const reading = read(`Result: ${printed}\n`, '', sdk);
  if (reading.kind !== 'bundle') return reading.kind;
  if (reading.note !== null) return reading.note.code;
  return Object.fromEntries(reading.bundle.map((entry) => [entry.key, entry.t === 'text' ? entry.v : entry.t]));
}

describe('answers', () => {
  test('success', () => {
    expect(pairs('Bundle[{status=success, data={"tools":[]}}]')).toEqual({ status: 'success', data: '{"tools":[]}' });
  });

  test('an error of v1 with its hints', () => {
    expect(
      pairs(
        'Bundle[{error_message=Sign in, then try again (a=1, b), resolution_hint=Open Garden, authorize_intent=org.sample.AUTH, status=error, error_code=AUTH_REQUIRED}]',
      ),
    ).toEqual({
      error_message: 'Sign in, then try again (a=1, b)',
      resolution_hint: 'Open Garden',
      authorize_intent: 'org.sample.AUTH',
      status: 'error',
      error_code: 'AUTH_REQUIRED',
    });
  });

  test.each([
    [
      26,
      '{ParcelFileDescriptor: java.io.FileDescriptor@7c01a2}',
      'PendingIntent{4be81c: android.os.BinderProxy@90aa1}',
    ],
    [30, '{ParcelFileDescriptor: java.io.FileDescriptor@1}', 'PendingIntent{1: android.os.BinderProxy@2}'],
    [33, 'Supplier{VAL_PARCELABLE@92+64}', 'Supplier{VAL_PARCELABLE@160+108}'],
    [36, '{ParcelFileDescriptor: java.io.FileDescriptor@1}', 'PendingIntent{1: android.os.BinderProxy@2}'],
  ])('objects as API %i prints them', (sdk, fd, intent) => {
    expect(pairs(`Bundle[{result_fd=${fd}, resolution=${intent}, status=error}]`, sdk)).toEqual({
      result_fd: fd,
      resolution: intent,
      status: 'error',
    });
  });

  test.each([
    [28, '[I@3fe19a0'],
    [29, '[2, 1]'],
    [34, '[2, 1]'],
  ])('an int[] as API %i prints it', (sdk, printed) => {
    expect(pairs(`Bundle[{versions=${printed}}]`, sdk)).toEqual({ versions: printed });
  });

  test('null values, one unknown key, nothing at all', () => {
    expect(pairs('Bundle[{status=success, data=null}]')).toEqual({ status: 'success', data: 'null' });
    expect(pairs('Bundle[{android.intent.extra.STREAM=content://media/77}]')).toEqual({
      'android.intent.extra.STREAM': 'content://media/77',
    });
    expect(pairs('Bundle[{}]')).toEqual({});
    expect(read('Result: null\n')).toEqual({ kind: 'null' });
  });

  test('separators inside JSON belong to the JSON', () => {
    const data = '{"sql":"a, request_id=5, version=2","list":["x, request_id=1"],"brace":"}]"}';
    expect(pairs(`Bundle[{status=success, data=${data}, request_id=0a1b}]`)).toEqual({
      status: 'success',
      data,
      request_id: '0a1b',
    });
    expect(pairs('Bundle[{status=success, data=["x, request_id=5"]}]')).toEqual({
      status: 'success',
      data: '["x, request_id=5"]',
    });
  });

  test('separators that look like CETP keys inside a message belong to the message', () => {
    expect(pairs('Bundle[{error_message=was status=ok, status=error, status=error, error_code=X}]')).toEqual({
      error_message: 'was status=ok, status=error',
      status: 'error',
      error_code: 'X',
    });
  });

  test('data that is no JSON is shown as it is', () => {
    expect(pairs('Bundle[{status=success, data=hello, world}]')).toEqual({ status: 'success', data: 'hello, world' });
    expect(pairs('Bundle[{resolution_hint=x, status=success, data=hello}]')).toEqual({
      resolution_hint: 'x',
      status: 'success',
      data: 'hello',
    });
  });

  test('line breaks, and a line that looks like a failure, stay in the value', () => {
    const data = '"line\nError while accessing provider:x\njava.lang.SecurityException: no"';
    expect(pairs(`Bundle[{status=success, data=${data}}]`)).toEqual({ status: 'success', data });
    const text = JSON.stringify('a\nb');
    expect(pairs(`Bundle[{status=success, data=${text}}]`)).toEqual({ status: 'success', data: text });
  });

  test('what can be read in two ways is kept whole and said so', () => {
    const printed = 'Bundle[{ok=true, json={"v":1,"paired":true}}]';
    expect(read(`Result: ${printed}\n`)).toEqual({
      kind: 'bundle',
      bundle: [{ key: 'Result', t: 'text', v: printed }],
      note: { code: 'shell-answer-unsplit', params: { key: 'Result' }, raw: null },
    });
    expect(pairs('Bundle[mParcelledData.dataSize=84]')).toBe('shell-answer-unsplit');
    expect(pairs('Bundle[{a key=1}]')).toBe('shell-answer-unsplit');
  });

  test('a large catalog full of look-alikes is read at once', () => {
    const tools = Array.from({ length: 20_000 }, (_, i) => ({ name: `t${i}`, description: `a, b${i}=1, data=2` }));
    const data = JSON.stringify({ tools });
    expect(pairs(`Bundle[{status=success, data=${data}}]`)).toEqual({ status: 'success', data });
  });

  test('too many look-alikes outside any JSON are kept whole', () => {
    expect(pairs(`Bundle[{status=success, data={${', data={'.repeat(100_000)}}]`)).toBe('shell-answer-unsplit');
  });

  test('any well-formed answer is read exactly, or said to be unread', () => {
    const json = fc.json({ maxDepth: 3 });
    const message = fc.string().filter((value) => !value.includes('\n'));
    fc.assert(
      fc.property(json, message, fc.constantFrom('success', 'error', 'accepted'), (data, text, status) => {
        const values: Record<string, string> = { status, data, error_message: text, error_code: 'CODE', version: '2' };
        const keys = Object.keys(values).sort((a, b) => javaHash(a) - javaHash(b));
        const read = pairs(`Bundle[{${keys.map((key) => `${key}=${values[key]}`).join(', ')}}]`);
        if (read !== 'shell-answer-unsplit') expect(read).toEqual(values);
      }),
    );
  });
});

test('String.hashCode as Java computes it', () => {
  expect(
    ['versions', 'error_message', 'resolution_hint', 'status', 'data', 'request_id', 'error_code'].map(javaHash),
  ).toEqual([-1985053029, -1938755376, -1938380230, -892481550, 3076010, 37109963, 1635686852]);
});

const at =
  '\tat android.os.Parcel.readException(Parcel.java:3036)\n\tat com.android.commands.content.Content.main(Content.java:735)\n';
const trace = (exception: string) => `Error while accessing provider:org.sample.garden\n${exception}\n${at}`;

describe('failures, on stderr and merged into stdout', () => {
  test.each([
    [
      'java.lang.SecurityException: Permission Denial: opening provider org.sample.garden.ToolProvider from (null) (pid=4410, uid=2000) requires com.clawseed.permission.ACCESS_TOOLS or com.clawseed.permission.ACCESS_TOOLS',
      'shell-permission-denied',
      { permission: 'com.clawseed.permission.ACCESS_TOOLS' },
    ],
    [
      'java.lang.SecurityException: Permission Denial: opening provider org.sample.garden.ToolProvider from (null) (pid=4410, uid=2000) that is not exported from UID 10077',
      'shell-provider-not-exported',
      {},
    ],
    ['java.lang.IllegalStateException: Could not find provider: org.sample.garden', 'shell-provider-not-found', {}],
    ['java.lang.IllegalStateException: Could not find provider', 'shell-provider-not-found', {}],
    [
      'java.lang.SecurityException: caller 2000 is not on the list',
      'shell-provider-exception',
      { class: 'java.lang.SecurityException', message: 'caller 2000 is not on the list' },
    ],
    [
      'java.lang.UnsupportedOperationException',
      'shell-provider-exception',
      { class: 'java.lang.UnsupportedOperationException', message: '' },
    ],
  ])('%s', (exception, code, params) => {
    const raw = trace(exception);
    const expected = { kind: 'error', problem: { code, params, raw } };
    expect(read('', raw)).toEqual(expected);
    expect(read(raw, '')).toEqual(expected);
  });

  const nullOnOld = trace(
    "java.lang.NullPointerException: Attempt to invoke virtual method 'int android.os.Bundle.size()' on a null object reference",
  );
  test.each([26, 27])('API %i prints a null answer as a crash of its own', (sdk) => {
    expect(read('', nullOnOld, sdk)).toEqual({ kind: 'null' });
  });

  test('the same crash on a later API is the failure that it says', () => {
    expect(read('', nullOnOld, 28)).toMatchObject({ kind: 'error', problem: { code: 'shell-provider-exception' } });
  });

  test('an exception text that spells an answer is no answer', () => {
    const raw = trace('java.lang.IllegalArgumentException: x\nResult: Bundle[{status=success}]');
    expect(read(raw, '')).toMatchObject({ kind: 'error', problem: { code: 'shell-provider-exception', raw } });
  });

  test('a usage text on stdout', () => {
    expect(read('usage: adb shell content [subcommand] [options]\n\n[ERROR] Unsupported type: q\n')).toEqual({
      kind: 'error',
      problem: { code: 'shell-bad-arguments', params: {}, raw: 'Unsupported type: q' },
    });
  });

  test('no `content`, no output, other output', () => {
    expect(read('', '/system/bin/sh: content: inaccessible or not found\n')).toMatchObject({
      problem: { code: 'shell-no-content-command' },
    });
    expect(read('')).toMatchObject({ problem: { code: 'shell-no-output' } });
    expect(read('Killed\n')).toMatchObject({ problem: { code: 'shell-unreadable-output', raw: 'Killed\n' } });
  });
});

test('hostile output never throws', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (a, b) => {
      expect(read(`Result: Bundle[{${a}=${b}}]`).kind).toBe('bundle');
      expect(typeof read(a, b).kind).toBe('string');
    }),
  );
});
