import type { JsonObject } from '../../../shared/base/json.ts';
import type { PackageSpec } from '../virtual-device.ts';
import { answer, int, string } from './bundles.ts';
import { providerPackage, text, V2_INT } from './package-builder.ts';
import { type RecordingApp, recording } from './recorder.ts';
import { V2Error, v2Error, v2Success } from './v2/envelope.ts';

/** (c) A v2-only Provider that finds no common version with anybody. */
export function createUnsupportedProvider(): RecordingApp {
  return recording((call) =>
    call.method === 'negotiate'
      ? v2Error(null, new V2Error('UNSUPPORTED_VERSION', 'This app needs CETP 3'))
      : v2Error(null, new V2Error('NEGOTIATION_REQUIRED', 'Negotiate first', { retryable: true })),
  );
}

export function unsupportedPackage(app: RecordingApp = createUnsupportedProvider()): PackageSpec {
  return providerPackage({
    package: 'org.example.ledger',
    label: 'Ledger Next',
    app,
    version: V2_INT,
    versions: text('2'),
  });
}

/** Every member of the answer breaks a rule of 2.2. */
export const INVALID_NEGOTIATION: JsonObject = {
  selected_version: 2,
  provider_id: 'com.somebody.else',
  provider_name: 'Car Keys',
  session_token: 'x'.repeat(300),
  expires_at: '2030-01-01T00:00:00',
  capabilities: ['large_results', 'time_travel'],
  limits: {
    max_request_bytes: 1024,
    max_inline_result_bytes: 2048,
    max_concurrent_requests: 0,
    idempotency_window_seconds: 60,
  },
};

/** (c) A v2-only Provider whose answer to `negotiate` is not valid; `data` replaces it. */
export function createInvalidNegotiationProvider(
  data: JsonObject | { readonly text: string } = INVALID_NEGOTIATION,
): RecordingApp {
  return recording((call) => {
    if (call.method === 'negotiate') return v2Success(null, data);
    return answer([string('status', 'success'), int('protocol_version', 2), string('data', '{"tools":[]}')]);
  });
}

export function invalidNegotiationPackage(app: RecordingApp = createInvalidNegotiationProvider()): PackageSpec {
  return providerPackage({
    package: 'org.example.carkeys',
    label: 'Car Keys',
    app,
    version: V2_INT,
    versions: text('2'),
  });
}
