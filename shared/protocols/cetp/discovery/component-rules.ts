import { type ManifestRule, requiredPermissions, when } from './manifest-rule.ts';
import { ACCESS_PERMISSION, META_AUTHORITY } from './names.ts';

/** The Service itself and its package. */
export const componentRules: readonly ManifestRule[] = [
  {
    rule: 'manifest-service-not-exported',
    clause: 'v1 2.2',
    severity: 'must',
    where: 'component.exported',
    check: ({ candidate, knows }) => when(knows('component.exported') && !candidate.component.exported),
  },
  {
    rule: 'manifest-service-disabled',
    clause: 'v1 2.2',
    severity: 'must',
    where: 'component.enabled',
    check: ({ candidate, knows }) => when(knows('component.enabled') && !candidate.component.enabled),
  },
  {
    rule: 'manifest-service-permission',
    clause: 'v1 2.2',
    severity: 'advice',
    where: 'component.permission',
    check: ({ candidate }) =>
      candidate.component.permission === null ? null : { permission: candidate.component.permission },
  },
  {
    rule: 'manifest-not-visible',
    clause: 'v1 2.2',
    severity: 'must',
    where: 'visibleByQueries',
    check: ({ candidate }) => when(candidate.visibleByQueries === false && candidate.component.exported),
  },
  {
    rule: 'manifest-only-shell-sees',
    clause: 'v1 2.2',
    severity: 'must',
    where: 'package',
    check: ({ context }) => when(context.onlyShellSees),
  },
  {
    rule: 'manifest-shared-uid',
    clause: 'v2 7.1',
    severity: 'advice',
    where: 'sharedUserId',
    check: ({ candidate }) => (candidate.sharedUserId === null ? null : { sharedUserId: candidate.sharedUserId }),
  },
  {
    rule: 'manifest-permission-declared-here',
    clause: 'v1 2.2',
    severity: 'advice',
    where: 'definesPermissions',
    check: ({ candidate }) =>
      when(candidate.definesPermissions.includes(ACCESS_PERMISSION), { permission: ACCESS_PERMISSION }),
  },
];

/** The authority and who holds it. */
export const authorityRules: readonly ManifestRule[] = [
  {
    rule: 'manifest-authority-missing',
    clause: 'v1 2.2',
    severity: 'must',
    where: META_AUTHORITY,
    check: ({ declaration }) => when(declaration.authority.state === 'missing', { key: META_AUTHORITY }),
  },
  {
    rule: 'manifest-authority-not-string',
    clause: 'v1 2.2',
    severity: 'must',
    where: META_AUTHORITY,
    check: ({ declaration: { authority } }) =>
      authority.state === 'not-string' ? { type: authority.type, text: authority.text } : null,
  },
  {
    rule: 'manifest-authority-invalid',
    clause: 'v1 2.2',
    severity: 'must',
    where: META_AUTHORITY,
    check: ({ declaration: { authority } }) => (authority.state === 'invalid' ? { text: authority.text } : null),
  },
  {
    rule: 'manifest-provider-missing',
    clause: 'v1 2.2',
    severity: 'must',
    where: 'provider',
    check: ({ candidate, declaration: { authority }, knows }) =>
      authority.state === 'valid' && candidate.provider === null && knows('provider')
        ? { authority: authority.authority }
        : null,
  },
  {
    rule: 'manifest-authority-not-of-provider',
    clause: 'v1 2.2',
    severity: 'must',
    where: 'provider.authorities',
    check: ({ candidate: { provider }, declaration: { authority } }) =>
      authority.state === 'valid' && provider !== null && !provider.authorities.includes(authority.authority)
        ? { authority: authority.authority, authorities: provider.authorities.join(', ') }
        : null,
  },
  {
    rule: 'manifest-provider-other-package',
    clause: 'v2 2.1',
    severity: 'must',
    where: 'provider.package',
    check: ({ candidate }) =>
      candidate.provider !== null && candidate.provider.package !== candidate.package
        ? { package: candidate.package, owner: candidate.provider.package }
        : null,
  },
];

/** The ContentProvider behind the authority. */
export const providerRules: readonly ManifestRule[] = [
  {
    rule: 'manifest-provider-not-exported',
    clause: 'v1 2.2',
    severity: 'must',
    where: 'provider.exported',
    check: ({ candidate, knows }) => when(knows('provider.exported') && candidate.provider?.exported === false),
  },
  {
    rule: 'manifest-provider-disabled',
    clause: 'v1 2.2',
    severity: 'must',
    where: 'provider.enabled',
    check: ({ candidate, knows }) => when(knows('provider.enabled') && candidate.provider?.enabled === false),
  },
  {
    rule: 'manifest-provider-open',
    clause: 'v2 7.1',
    severity: 'should',
    where: 'provider.readPermission',
    check: ({ candidate: { provider } }) =>
      when(provider !== null && requiredPermissions(provider).length === 0, { permission: ACCESS_PERMISSION }),
  },
  {
    rule: 'manifest-provider-other-permission',
    clause: 'v1 2.2',
    severity: 'should',
    where: 'provider.readPermission',
    check: ({ candidate: { provider } }) => {
      const required = provider === null ? [] : requiredPermissions(provider);
      return when(required.length > 0 && !required.includes(ACCESS_PERMISSION), {
        permission: required.join(', '),
        expected: ACCESS_PERMISSION,
      });
    },
  },
  {
    rule: 'manifest-provider-half-open',
    clause: 'v2 7.1',
    severity: 'advice',
    where: 'provider.writePermission',
    check: ({ candidate: { provider } }) =>
      provider !== null && (provider.readPermission === null) !== (provider.writePermission === null)
        ? { permission: provider.readPermission ?? provider.writePermission ?? '' }
        : null,
  },
  {
    rule: 'manifest-permission-undefined',
    clause: 'v1 2.2',
    severity: 'should',
    where: 'provider.readPermission',
    check: ({ candidate: { provider, definesPermissions }, context }) => {
      const required = provider === null ? [] : requiredPermissions(provider);
      const undefinedOnes = required.filter(
        (permission) => context.permissionOwners.get(permission) === null && !definesPermissions.includes(permission),
      );
      return required.length > 0 && undefinedOnes.length === required.length
        ? { permission: undefinedOnes.join(', ') }
        : null;
    },
  },
  {
    rule: 'manifest-init-order-missing',
    clause: 'v1 2.2',
    severity: 'advice',
    where: 'provider.initOrder',
    check: ({ candidate }) => when(candidate.provider?.initOrder === 0),
  },
  {
    rule: 'manifest-grant-uri-permissions',
    clause: 'v2 7.1',
    severity: 'advice',
    where: 'provider.grantUriPermissions',
    check: ({ candidate }) => when(candidate.provider?.grantUriPermissions === true),
  },
];
