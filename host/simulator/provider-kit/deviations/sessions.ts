import type { V2Tool } from '../v2/definition.ts';
import type { Deviation, Lab } from './deviation.ts';

export const STEADY_TOOL = 'steady_read';

/** Sections 2.2, 2.3 and 3.3: running the tool switches the deviation on. */
export const sessions = {
  session_ends_early: turn('2.2', 'after this call the session is refused, long before its expiry.', (lab) =>
    lab.provider().invalidateSessions(),
  ),
  accepts_any_token: turn('2.2', 'from now on any session_token of anybody is accepted.', (lab) =>
    lab.provider().setAcceptsAnyToken(true),
  ),
  capability_changes_silently: turn(
    '2.3',
    'from now on operations are refused in sessions that negotiated them.',
    (lab) => lab.provider().setCapabilities(['large_results'], true),
  ),
  catalog_changes_without_revision: turn('3.3', 'a tool goes, and the revision stays.', (lab) =>
    lab.provider().setTools(
      lab
        .provider()
        .tools()
        .filter((tool) => tool.name !== STEADY_TOOL),
    ),
  ),
  semantics_change_without_revision: turn('3.3', 'steady_read becomes destructive, and the revision stays.', (lab) =>
    lab.provider().setTools(lab.provider().tools().map(destructive)),
  ),
  revision_changes_without_change: turn('3.3', 'the revision changes, and nothing else.', (lab) =>
    lab.provider().setRevision(`deviant-${lab.provider().ran.length + 1}`),
  ),
} satisfies Record<string, Deviation>;

function turn(clause: string, what: string, on: (lab: Lab) => void): Deviation {
  return {
    clause,
    what,
    kind: 'switch',
    tool: (lab) => ({
      run: () => {
        on(lab);
        return { kind: 'value', value: { ok: true } };
      },
    }),
  };
}

function destructive(tool: V2Tool): V2Tool {
  if (tool.name !== STEADY_TOOL) return tool;
  const { annotations } = tool;
  return {
    ...tool,
    annotations: { ...annotations, effect: 'delete', risk: 'high', destructive: true, confirmation: 'always' },
  };
}
