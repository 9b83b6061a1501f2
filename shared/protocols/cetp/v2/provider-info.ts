import { cutText, excerpt, isJsonObject, type Json, type JsonObject, member } from '../../../base/json.ts';
import type { ProviderInfo, Scope } from '../../../model/catalog.ts';
import { dialectOf } from '../../../validation/dialect.ts';
import { jsonType } from '../common/envelope.ts';
import type { FindingList } from '../common/findings.ts';
import { isWithinNamespace, SCOPE_NAME } from './names.ts';
import type { V2Rule } from './rules.ts';

/** v2 3.2. */
export const SCOPE_ACCESS = ['read', 'write'] as const;
export const SCOPE_SENSITIVITY = ['public', 'personal', 'financial', 'health', 'device', 'other'] as const;

export interface ProviderIdentity {
  /** Of the discovered Service; null where it is unknown. */
  readonly packageName: string | null;
  /** As negotiated. */
  readonly providerId: string | null;
}

/** Reads the document of `get_provider_info` (v2 3.2). `info.findings` stays empty: the reading carries them. */
export function readProviderDocument(
  document: JsonObject,
  identity: ProviderIdentity,
  findings: FindingList<V2Rule>,
): ProviderInfo {
  const providerId = readString(document, 'provider_id', findings);
  if (providerId !== null) checkIdentity(providerId, identity, findings);
  return {
    providerId,
    providerName: readString(document, 'provider_name', findings),
    description: readString(document, 'description', findings),
    schemaDialect: readDialect(document, findings),
    scopes: readScopes(member(document, 'scopes'), findings),
    findings: [],
  };
}

function readString(document: JsonObject, key: string, findings: FindingList<V2Rule>): string | null {
  const value = member(document, key);
  if (typeof value === 'string') return value;
  const where = `/${key}`;
  if (value === undefined) findings.add('info-member-missing', { where, params: { member: key } });
  else
    findings.add('info-member-type', { where, params: { member: key, expected: 'string', actual: jsonType(value) } });
  return null;
}

function checkIdentity(id: string, identity: ProviderIdentity, findings: FindingList<V2Rule>): void {
  const where = '/provider_id';
  const shown = cutText(id, 300);
  if (identity.packageName !== null && !isWithinNamespace(id, identity.packageName)) {
    findings.add('provider-id-namespace', { where, params: { id: shown, package: identity.packageName } });
  }
  if (identity.providerId !== null && id !== identity.providerId) {
    findings.add('provider-id-differs', {
      where,
      params: { id: shown, negotiated: cutText(identity.providerId, 300) },
    });
  }
}

function readDialect(document: JsonObject, findings: FindingList<V2Rule>): string | null {
  const where = '/schema_dialect';
  const value = member(document, 'schema_dialect');
  if (value === undefined) {
    findings.add('dialect-absent', { where });
    return null;
  }
  if (typeof value !== 'string') {
    const params = { member: 'schema_dialect', expected: 'string', actual: jsonType(value) };
    findings.add('info-member-type', { where, params });
    return null;
  }
  const dialect = dialectOf(value);
  if (dialect !== '2020-12') {
    findings.add(dialect === null ? 'dialect-unsupported' : 'dialect-differs', {
      where,
      params: { dialect: excerpt(value) },
    });
  }
  return value;
}

function readScopes(value: Json | undefined, findings: FindingList<V2Rule>): Scope[] {
  if (!Array.isArray(value)) {
    findings.add('scopes-not-array', { where: '/scopes', params: { actual: jsonType(value) } });
    return [];
  }
  const seen = new Set<string>();
  const scopes: Scope[] = [];
  for (const [index, entry] of (value as readonly Json[]).entries()) {
    const where = `/scopes/${index}`;
    if (!isJsonObject(entry)) {
      findings.add('scope-not-object', { where, params: { actual: jsonType(entry) } });
      continue;
    }
    const scope = readScope(entry, where, findings);
    if (scope.name !== '' && seen.has(scope.name)) {
      findings.add('scope-declared-twice', { where, params: { name: cutText(scope.name, 130) } });
    }
    seen.add(scope.name);
    scopes.push(scope);
  }
  return scopes;
}

function readScope(entry: JsonObject, where: string, findings: FindingList<V2Rule>): Scope {
  const read = (key: string, required: boolean): string | null => {
    const value = member(entry, key);
    if (typeof value === 'string') return value;
    const at = { where: `${where}/${key}` };
    if (value !== undefined) {
      const params = { member: key, expected: 'string', actual: jsonType(value) };
      findings.add('scope-member-type', { ...at, params });
    } else if (required) findings.add('scope-member-missing', { ...at, params: { member: key } });
    return null;
  };
  const choice = (key: string, allowed: readonly string[]): string | null => {
    const value = read(key, true);
    if (value !== null && !allowed.includes(value)) {
      const params = { member: key, value: excerpt(value), allowed: allowed.join(', ') };
      findings.add('scope-unknown-value', { where: `${where}/${key}`, params });
    }
    return value;
  };
  const name = read('name', true);
  if (name !== null && !SCOPE_NAME.test(name)) {
    findings.add('scope-name-invalid', { where: `${where}/name`, params: { name: excerpt(name) } });
  }
  return {
    name: name ?? '',
    title: read('title', false),
    description: read('description', true),
    access: choice('access', SCOPE_ACCESS),
    sensitivity: choice('sensitivity', SCOPE_SENSITIVITY),
  };
}
