import { expect, test } from 'vitest';
import { v2Context } from '../testing/answers.ts';
import { GOLDEN_DEADLINE_MS, GOLDEN_REQUEST_ID, goldenText, requestText } from '../testing/golden.ts';
import { v2Codec } from './codec.ts';
import executeTool from './golden/execute_tool.json' with { type: 'json' };
import providerInfo from './golden/get_provider_info.json' with { type: 'json' };
import listTools from './golden/list_tools.json' with { type: 'json' };
import negotiate from './golden/negotiate.json' with { type: 'json' };
import { negotiateRequest } from './negotiate.ts';

const base = v2Context();
const context = {
  ...base,
  requestId: GOLDEN_REQUEST_ID,
  deadlineAtMs: GOLDEN_DEADLINE_MS,
  session: base.session === null ? null : { ...base.session, token: 'golden-session-token' },
};

test.each([
  [negotiate, negotiateRequest()],
  [listTools, v2Codec.listTools(context)],
  [providerInfo, v2Codec.providerInfo(context)],
  [executeTool, v2Codec.executeTool(context, 'move_money', '{ "to":12345678901234567890, "to": 1.10 }')],
])('$method leaves as written down', (golden, request) => {
  expect(requestText(request)).toBe(goldenText(golden));
});
