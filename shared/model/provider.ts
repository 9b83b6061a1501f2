import { z } from 'zod';
import { Bundle } from './bundle.ts';
import { Finding } from './finding.ts';
import { Problem } from './problem.ts';

const sha256s = z.array(z.string());

/**
 * Raw facts on one matching Service and the ContentProvider behind its
 * authority, no verdict. Null means "the device says there is none"; a fact
 * that this way of looking cannot tell is named in `unknown`.
 */
export const Candidate = z.object({
  package: z.string(),
  label: z.string().nullable(),
  versionName: z.string().nullable(),
  versionCode: z.string().nullable(),
  uid: z.number().nullable(),
  sharedUserId: z.string().nullable(),
  signingCertSha256: sha256s,
  pastSigningCertSha256: sha256s,
  component: z.object({
    name: z.string(),
    exported: z.boolean(),
    enabled: z.boolean(),
    permission: z.string().nullable(),
    processName: z.string().nullable(),
  }),
  /** Each entry keeps its compiled type: `android:value="1"` is an int. */
  metaData: Bundle,
  provider: z
    .object({
      authorities: z.array(z.string()),
      package: z.string(),
      name: z.string(),
      exported: z.boolean(),
      enabled: z.boolean(),
      readPermission: z.string().nullable(),
      writePermission: z.string().nullable(),
      grantUriPermissions: z.boolean(),
      initOrder: z.number(),
      processName: z.string().nullable(),
    })
    .nullable(),
  definesPermissions: z.array(z.string()),
  /** Whether a Consumer with only `<queries>` for the action would see it. */
  visibleByQueries: z.boolean().nullable(),
  /** Names of the facts above that this origin cannot tell. */
  unknown: z.array(z.string()),
});
export type Candidate = z.infer<typeof Candidate>;

export const DiscoveryOrigin = z.enum(['companion', 'shell']);
export type DiscoveryOrigin = z.infer<typeof DiscoveryOrigin>;

export const Provider = z.object({
  /** `<package>/<service class>`: every Service with the action is a Provider of its own. */
  key: z.string(),
  deviceKey: z.string(),
  userId: z.number(),
  origin: DiscoveryOrigin,
  candidate: Candidate,
  authority: z.string().nullable(),
  /** Major versions declared, or null where nothing valid is declared. */
  versions: z.array(z.number()).nullable(),
  /** The protocol that will be used, and the i18n key of the reason (`protocolReason.<reason>`). */
  protocol: z.enum(['v1', 'v2', 'none']),
  protocolReason: z.string(),
  /** How calls would leave: through the companion, the shell, or not at all. */
  bridge: z.enum(['companion', 'shell', 'none']),
  /** Why not, or what the bridge cannot do. */
  bridgeProblem: Problem.nullable(),
  findings: z.array(Finding),
});
export type Provider = z.infer<typeof Provider>;

export const ProviderSnapshot = z.object({
  deviceKey: z.string(),
  userId: z.number(),
  state: z.enum(['looking', 'ready', 'failed']),
  origin: DiscoveryOrigin.nullable(),
  providers: z.array(Provider),
  /** Why the look failed, or why it is limited. */
  problem: Problem.nullable(),
  /** Packages that could not be read, with the reason; never silently missing. */
  unreadable: z.array(z.object({ package: z.string(), problem: Problem })),
  atMs: z.number(),
});
export type ProviderSnapshot = z.infer<typeof ProviderSnapshot>;
