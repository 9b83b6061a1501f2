import type { CompanionStatus } from '../../../model/device.ts';
import { type Problem, problem } from '../../../model/problem.ts';
import type { Candidate, Provider } from '../../../model/provider.ts';
import type { ProtocolChoice } from './choose-protocol.ts';
import { requiredPermissions } from './manifest-rule.ts';
import { ACCESS_PERMISSION } from './names.ts';

/** What the shell bridge has to work with. */
export interface ShellFacts {
  /** The device's API level. */
  readonly sdk: number | null;
  /** `adb root`: UID 0 passes every permission and reaches what is not exported. */
  readonly root: boolean;
}

export interface BridgeContext {
  /** Null where no companion is in play. */
  readonly companion: CompanionStatus | null;
  readonly shell: ShellFacts;
  /** The connected companion does not see this Provider. */
  readonly onlyShellSees: boolean;
}

export interface BridgeChoice {
  readonly bridge: Provider['bridge'];
  readonly problem: Problem | null;
}

/**
 * How calls would leave. The companion carries everything that its permission
 * allows. The shell carries v1 to Providers without a permission; v2 never:
 * `negotiate` wants an `int[]`, which `content call` has on no version, and an
 * `int`, which it has only from Android 11 (API 30) on.
 */
export function chooseBridge(
  candidate: Pick<Candidate, 'package' | 'provider'>,
  choice: ProtocolChoice,
  context: BridgeContext,
): BridgeChoice {
  if (choice.protocol === 'none') return none(problem('bridge-no-protocol', { reason: choice.reason }));
  const { provider } = candidate;
  const root = context.shell.root && choice.protocol === 'v1';
  if (provider !== null && !provider.enabled) return none(problem('bridge-provider-disabled', { name: provider.name }));
  if (provider !== null && !provider.exported && !root) {
    return none(problem('bridge-provider-not-exported', { name: provider.name }));
  }
  const required = provider === null ? null : requiredPermissions(provider);
  const companionProblem = whyNotCompanion(required, context, provider?.exported !== false);
  if (companionProblem === null) return { bridge: 'companion', problem: null };
  if (choice.protocol === 'v2') return none(companionProblem);
  const openToShell = required === null || required.length === 0 || root;
  if (openToShell) return { bridge: 'shell', problem: problem('bridge-shell-limited', { uid: root ? 0 : 2000 }) };
  return none(companionProblem);

  function whyNotCompanion(
    permissions: readonly string[] | null,
    { companion, onlyShellSees }: BridgeContext,
    exported: boolean,
  ): Problem | null {
    if (companion?.state !== 'connected') return needsCompanion(permissions);
    if (!exported) return problem('bridge-provider-not-exported', { name: provider?.name ?? '' });
    if (onlyShellSees) return problem('bridge-companion-cannot-see', { package: candidate.package });
    if (permissions === null || permissions.length === 0) return null;
    if (!permissions.includes(ACCESS_PERMISSION)) {
      return problem('bridge-other-permission', { permission: permissions.join(', ') });
    }
    if (companion.permission === 'denied')
      return problem('bridge-permission-denied', { permission: ACCESS_PERMISSION });
    if (companion.permission === 'undefined') {
      return problem('bridge-permission-undefined', { permission: ACCESS_PERMISSION });
    }
    return null;
  }

  function needsCompanion(permissions: readonly string[] | null): Problem {
    if (permissions !== null && permissions.length > 0 && !permissions.includes(ACCESS_PERMISSION)) {
      return problem('bridge-other-permission', { permission: permissions.join(', ') });
    }
    if (choice.protocol === 'v1') {
      return problem('bridge-permission-needs-companion', { permission: (permissions ?? []).join(', ') });
    }
    const { sdk } = context.shell;
    return sdk !== null && sdk < 30
      ? problem('bridge-v2-needs-companion-old', { sdk })
      : problem('bridge-v2-needs-companion');
  }
}

function none(reason: Problem): BridgeChoice {
  return { bridge: 'none', problem: reason };
}
