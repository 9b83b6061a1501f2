import { expect, test } from 'vitest';
import { V1_CONTEXT } from '../testing/answers.ts';
import { GOLDEN_REQUEST_ID, goldenText, requestText } from '../testing/golden.ts';
import { v1Codec } from './codec.ts';
import executeTool from './golden/execute_tool.json' with { type: 'json' };
import providerInfo from './golden/get_provider_info.json' with { type: 'json' };
import listTools from './golden/list_tools.json' with { type: 'json' };

const context = { ...V1_CONTEXT, requestId: GOLDEN_REQUEST_ID };

test.each([
  [listTools, v1Codec.listTools(context)],
  [providerInfo, v1Codec.providerInfo(context)],
  [executeTool, v1Codec.executeTool(context, 'getQuote', '{ "n": 1.0 }')],
])('$method leaves as written down', (golden, request) => {
  expect(requestText(request)).toBe(goldenText(golden));
});
