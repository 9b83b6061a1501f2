import { isJsonObject, type Json, type JsonObject, parseJson } from '../../../shared/base/json.ts';
import type { BinderOutcome } from '../virtual-device.ts';
import { answer, Extras, jsonText, string } from './bundles.ts';
import { type ReceivedCall, type RecordingApp, recording } from './recorder.ts';

export interface V1Tool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema. */
  readonly parameters: JsonObject;
  /** Free JSON; a thrown `V1Refusal` becomes an error answer. */
  readonly run: (args: JsonObject) => Json | { readonly text: string };
}

export interface V1Definition {
  readonly providerName: string;
  readonly description: string;
  readonly scopes: readonly { readonly name: string; readonly description: string }[];
  readonly tools: readonly V1Tool[];
}

/** An error answer of v1 (2.4), with the optional keys of AUTH_REQUIRED. */
export class V1Refusal extends Error {
  readonly code: string;
  readonly extra: Readonly<Record<string, string>>;

  constructor(code: string, message: string, extra: Readonly<Record<string, string>> = {}) {
    super(message);
    this.code = code;
    this.extra = extra;
  }
}

/** A well-behaved CETP v1 Provider. */
export function createV1Provider(definition: V1Definition): RecordingApp {
  return recording((call) => answerV1(definition, call));
}

/** The v1 answer to a call; dual-stack Providers use it too. */
export function answerV1(definition: V1Definition, call: ReceivedCall): BinderOutcome {
  try {
    return success(dispatch(definition, call.method, new Extras(call.extras)));
  } catch (error) {
    if (error instanceof V1Refusal) return v1Error(error.code, error.message, error.extra);
    throw error;
  }
}

function dispatch(definition: V1Definition, method: string, extras: Extras): Json | { readonly text: string } {
  switch (method) {
    case 'list_tools':
      return {
        tools: definition.tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
      };
    case 'get_provider_info':
      return {
        provider_name: definition.providerName,
        description: definition.description,
        scopes: definition.scopes,
      };
    case 'execute_tool':
      return execute(definition, extras);
    default:
      // 2.5: an old Provider answers a method that it does not know so.
      throw new V1Refusal('TOOL_NOT_FOUND', `Unknown method ${method}`);
  }
}

function execute(definition: V1Definition, extras: Extras): Json | { readonly text: string } {
  const name = extras.string('tool_name');
  const tool = definition.tools.find((item) => item.name === name);
  if (!tool) throw new V1Refusal('TOOL_NOT_FOUND', `No tool named ${name}`);
  const parsed = parseJson(extras.string('args') ?? '{}');
  if (!parsed.ok || !isJsonObject(parsed.value.value)) {
    throw new V1Refusal('INVALID_ARGS', 'args must be a JSON object');
  }
  const args = parsed.value.value;
  const required = tool.parameters['required'];
  for (const key of Array.isArray(required) ? required : []) {
    if (!Object.hasOwn(args, key)) throw new V1Refusal('INVALID_ARGS', `${key} is required`);
  }
  return tool.run(args);
}

function success(data: Json | { readonly text: string }): BinderOutcome {
  return answer([string('status', 'success'), string('data', jsonText(data))]);
}

export function v1Error(code: string, message: string, extra: Readonly<Record<string, string>> = {}): BinderOutcome {
  return answer([
    string('status', 'error'),
    string('error_code', code),
    string('error_message', message),
    ...Object.entries(extra).map(([key, value]) => string(key, value)),
  ]);
}
