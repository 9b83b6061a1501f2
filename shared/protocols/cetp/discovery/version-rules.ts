import { type ManifestRule, when } from './manifest-rule.ts';
import { META_VERSION, META_VERSIONS } from './names.ts';

/** `version` and `versions`, alone and against each other. */
export const versionRules: readonly ManifestRule[] = [
  {
    rule: 'manifest-nothing-declared',
    clause: 'v1 2.5',
    severity: 'must',
    where: META_VERSION,
    check: ({ declaration: { versions, version } }) =>
      when(versions.state === 'absent' && version.state === 'absent', { key: META_VERSION }),
  },
  {
    rule: 'manifest-versions-invalid',
    clause: 'v2 2.1',
    severity: 'must',
    where: META_VERSIONS,
    check: ({ declaration: { versions } }) =>
      versions.state === 'invalid' && (versions.reason === 'not-integers' || versions.reason === 'unreadable')
        ? { text: versions.text, type: versions.type }
        : null,
  },
  {
    rule: 'manifest-versions-not-positive',
    clause: 'v2 2.1',
    severity: 'must',
    where: META_VERSIONS,
    check: ({ declaration: { versions } }) =>
      versions.state === 'invalid' && versions.reason === 'not-positive' ? { text: versions.text } : null,
  },
  {
    rule: 'manifest-versions-resource-id',
    clause: 'v2 2.1',
    severity: 'must',
    where: META_VERSIONS,
    check: ({ declaration: { versions } }) =>
      versions.state === 'invalid' && versions.reason === 'resource-id' ? { text: versions.text } : null,
  },
  {
    rule: 'manifest-versions-not-text',
    clause: 'v2 2.1',
    severity: 'advice',
    where: META_VERSIONS,
    check: ({ declaration: { versions } }) =>
      versions.state === 'valid' && versions.type !== 'string' ? { type: versions.type, text: versions.text } : null,
  },
  {
    rule: 'manifest-versions-duplicates',
    clause: 'v2 2.1',
    severity: 'lenient',
    where: META_VERSIONS,
    check: ({ declaration: { versions } }) =>
      versions.state === 'valid' && versions.duplicates.length > 0
        ? { text: versions.text, duplicates: versions.duplicates.join(', ') }
        : null,
  },
  {
    rule: 'manifest-versions-spaces',
    clause: 'v2 2.1',
    severity: 'lenient',
    where: META_VERSIONS,
    check: ({ declaration: { versions } }) =>
      versions.state === 'valid' && versions.hasSpaces ? { text: versions.text } : null,
  },
  {
    rule: 'manifest-unknown-majors',
    clause: 'v2 2.1',
    severity: 'lenient',
    where: META_VERSIONS,
    check: ({ declaration: { majors } }) => {
      const unknown = (majors ?? []).filter((major) => major > 2);
      return when(unknown.length > 0, { majors: unknown.join(', ') });
    },
  },
  {
    rule: 'manifest-version-invalid',
    clause: 'v1 2.5',
    severity: 'must',
    where: META_VERSION,
    check: ({ declaration: { version } }) =>
      version.state === 'invalid' ? { text: version.text, type: version.type } : null,
  },
  {
    rule: 'manifest-version-not-int',
    clause: 'v1 2.2',
    severity: 'advice',
    where: META_VERSION,
    check: ({ declaration: { version } }) =>
      version.state === 'valid' && version.type !== 'int' ? { type: version.type, text: version.text } : null,
  },
  {
    rule: 'manifest-version-missing',
    clause: 'v2 2.1',
    severity: 'must',
    where: META_VERSION,
    check: ({ declaration: { versions, version } }) =>
      versions.state === 'valid' && version.state === 'absent'
        ? { expected: versions.majors.includes(1) ? 1 : (versions.majors[0] ?? 2) }
        : null,
  },
  {
    rule: 'manifest-dual-stack-version',
    clause: 'v2 2.1',
    severity: 'must',
    where: META_VERSION,
    check: ({ declaration: { versions, version } }) =>
      versions.state === 'valid' &&
      versions.majors.includes(1) &&
      versions.majors.includes(2) &&
      version.state === 'valid' &&
      version.majors[0] !== 1
        ? { version: version.text, versions: versions.text }
        : null,
  },
  {
    rule: 'manifest-v2-only-version',
    clause: 'v2 2.1',
    severity: 'must',
    where: META_VERSION,
    check: ({ declaration: { versions, version } }) =>
      versions.state === 'valid' &&
      versions.majors.includes(2) &&
      !versions.majors.includes(1) &&
      version.state === 'valid' &&
      version.majors[0] !== 2
        ? { version: version.text, versions: versions.text }
        : null,
  },
  {
    rule: 'manifest-version-contradicts',
    clause: 'v2 2.1',
    severity: 'should',
    where: META_VERSION,
    check: ({ declaration: { versions, version } }) =>
      versions.state === 'valid' &&
      !versions.majors.includes(2) &&
      version.state === 'valid' &&
      !versions.majors.includes(version.majors[0] ?? 0)
        ? { version: version.text, versions: versions.text }
        : null,
  },
  {
    rule: 'manifest-v2-without-versions',
    clause: 'v2 2.1',
    severity: 'must',
    where: META_VERSIONS,
    check: ({ declaration: { versions, version } }) =>
      when(versions.state === 'absent' && version.state === 'valid' && version.majors[0] === 2),
  },
  {
    rule: 'manifest-repeated-key',
    clause: 'v1 2.2',
    severity: 'advice',
    where: 'metaData',
    check: ({ declaration: { repeatedKeys } }) => when(repeatedKeys.length > 0, { keys: repeatedKeys.join(', ') }),
  },
];
