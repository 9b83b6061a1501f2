/** v2 3.1. */
export const TOOL_NAME = /^[a-z][a-z0-9_]{0,63}$/;
/** v2 3.2. */
export const SCOPE_NAME = /^[a-z][a-z0-9_.-]{0,127}$/;

/** v2 3.1: a custom provider_id remains within the package's namespace. */
export function isWithinNamespace(providerId: string, packageName: string): boolean {
  return providerId === packageName || providerId.startsWith(`${packageName}.`);
}

/** The optional capabilities of v2 2.3. */
export const CAPABILITIES = ['async_operations', 'cancellation', 'large_results'] as const;
export const CONSUMER_VERSIONS = [2, 1] as const;
