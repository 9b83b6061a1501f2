import type { CompanionStatus } from '../../../model/device.ts';
import type { Finding } from '../../../model/finding.ts';
import type { Candidate, DiscoveryOrigin, Provider } from '../../../model/provider.ts';
import { chooseBridge, type ShellFacts } from './choose-bridge.ts';
import { chooseProtocol } from './choose-protocol.ts';
import { readDeclaration } from './declaration.ts';
import { manifestFindings } from './manifest-findings.ts';
import { candidateKey } from './set-findings.ts';

export interface ProviderContext {
  readonly deviceKey: string;
  readonly userId: number;
  readonly origin: DiscoveryOrigin;
  readonly companion: CompanionStatus | null;
  readonly shell: ShellFacts;
  readonly permissionOwners: ReadonlyMap<string, string | null>;
  readonly onlyShellSees: boolean;
  /** Of `setFindings` over all candidates of the device. */
  readonly setFindings: readonly Finding[];
}

/** Raw facts with our verdict beside them: versions, protocol, bridge, findings. */
export function toProvider(candidate: Candidate, context: ProviderContext): Provider {
  const declaration = readDeclaration(candidate);
  const choice = chooseProtocol(candidate, declaration);
  const { bridge, problem } = chooseBridge(candidate, choice, context);
  return {
    key: candidateKey(candidate),
    deviceKey: context.deviceKey,
    userId: context.userId,
    origin: context.origin,
    candidate,
    authority: declaration.authority.state === 'valid' ? declaration.authority.authority : null,
    versions: declaration.majors === null ? null : [...declaration.majors],
    protocol: choice.protocol,
    protocolReason: choice.reason,
    bridge,
    bridgeProblem: problem,
    findings: [...manifestFindings(candidate, context, declaration), ...context.setFindings],
  };
}
