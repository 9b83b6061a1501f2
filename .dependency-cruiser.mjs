/** Who may import whom. One direction: shared <- host <- electron, cli; shared <- renderer. */
const only = (name, from, allowed) => ({
  name,
  severity: 'error',
  from: { path: from },
  to: { pathNot: allowed, dependencyTypesNot: ['core', 'npm', 'npm-dev', 'type-only'] },
});

export default {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    { name: 'nothing-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'shared-is-pure',
      severity: 'error',
      from: { path: '^shared/', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['core'] },
    },
    only('shared-only-shared', '^shared/', '^shared/'),
    only('host-only-host-and-shared', '^host/', '^(host|shared|test/builders)/'),
    only(
      'electron-only-host-entry',
      '^electron/',
      '^(electron/|shared/|host/(host|electron-entry|server/static-files)\\.ts$)',
    ),
    only('cli-only-host-and-shared', '^cli/', '^(cli|host|shared)/'),
    only('renderer-only-shared', '^renderer/', '^(renderer|shared)/'),
    {
      name: 'one-file-knows-adbkit',
      severity: 'error',
      from: { pathNot: '^host/adb/adbkit-transport\\.ts$' },
      to: { path: 'node_modules/@devicefarmer/adbkit' },
    },
    {
      name: 'one-folder-knows-sqlite',
      severity: 'error',
      from: { pathNot: '^host/journal/|\\.test\\.ts$|^test/' },
      to: { path: '^(node:)?sqlite$' },
    },
    {
      name: 'host-never-electron',
      severity: 'error',
      from: { path: '^(shared|host|cli|renderer)/' },
      to: { path: 'node_modules/electron/' },
    },
    {
      name: 'simulator-shares-no-client-logic',
      severity: 'error',
      from: { path: '^host/simulator/', pathNot: '\\.test\\.ts$' },
      to: { path: '^host/(?!simulator/)' },
    },
    {
      name: 'features-do-not-know-each-other',
      severity: 'error',
      from: { path: '^renderer/features/([^/]+)/' },
      to: { path: '^renderer/features/', pathNot: '^renderer/features/$1/' },
    },
    {
      name: 'monaco-only-in-editor',
      severity: 'error',
      from: { pathNot: '^renderer/editor/' },
      to: { path: 'node_modules/monaco-editor' },
    },
    {
      name: 'renderer-takes-only-types-of-the-contract',
      severity: 'error',
      from: { path: '^renderer/' },
      to: { path: '^shared/contract/contract\\.ts$', dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|release)/' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'],
    },
  },
};
