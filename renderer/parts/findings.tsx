import type { Finding, FindingSeverity } from '../../shared/model/finding.ts';
import { type I18n, useI18n } from '../ui/i18n.tsx';
import type { IconName } from '../ui/icon.tsx';
import { SafeText } from '../ui/safe-text.tsx';
import { Badge, type Tone } from '../ui/widgets.tsx';
import './parts.css';

const ORDER: readonly FindingSeverity[] = ['must', 'should', 'advice', 'lenient'];
const LOOK: Readonly<Record<FindingSeverity, { readonly tone: Tone; readonly icon: IconName }>> = {
  must: { tone: 'bad', icon: 'stop' },
  should: { tone: 'warn', icon: 'warning' },
  advice: { tone: 'info', icon: 'info' },
  lenient: { tone: 'plain', icon: 'question' },
};

export function SeverityBadge({ severity, count }: { readonly severity: FindingSeverity; readonly count?: number }) {
  const { t } = useI18n();
  const look = LOOK[severity];
  const name = t(`shell.severity.${severity}`);
  return (
    <Badge tone={look.tone} icon={look.icon} title={t(`shell.severityHelp.${severity}`)}>
      {count === undefined ? name : `${count} ${name}`}
    </Badge>
  );
}

/** Our text of a finding; a rule without one shows its name and values. */
export function findingText(i18n: I18n, finding: Finding): string {
  const text = i18n.known(`finding.${finding.rule}`, finding.params);
  if (text !== null) return text;
  const params = Object.entries(finding.params).map(([key, value]) => `${key}=${value}`);
  return [finding.rule, ...params].join(' ');
}

export function worstFirst(findings: readonly Finding[]): readonly Finding[] {
  return [...findings].sort((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity));
}

/** How many of each severity, worst first; nothing where there are none. */
export function FindingCounts({ findings }: { readonly findings: readonly Finding[] }) {
  return ORDER.map((severity) => {
    const count = findings.filter((finding) => finding.severity === severity).length;
    return count === 0 ? null : <SeverityBadge key={severity} severity={severity} count={count} />;
  });
}

/** Our verdicts, each with its clause and what it is about. */
export function FindingList({
  findings,
  showRule = true,
}: {
  readonly findings: readonly Finding[];
  readonly showRule?: boolean;
}) {
  const i18n = useI18n();
  if (findings.length === 0) {
    return <p className="dim finding-none">{i18n.t('shell.noFindings')}</p>;
  }
  return (
    <ul className="findings">
      {worstFirst(findings).map((finding, index) => (
        // Two findings may be equal in every member.
        // biome-ignore lint/suspicious/noArrayIndexKey: a list that never reorders
        <li key={index} className="finding">
          <SeverityBadge severity={finding.severity} />
          <div className="grow">
            <div className="anywhere">
              <SafeText text={findingText(i18n, finding)} limit={500} />
            </div>
            <div className="finding-meta">
              <span>{finding.clause}</span>
              {showRule ? <span className="mono">{finding.rule}</span> : null}
              {finding.where === null || finding.where === '' ? null : (
                <span className="mono">
                  <SafeText text={finding.where} limit={160} />
                </span>
              )}
            </div>
          </div>
        </li>
      ))}
    </ul>
  );
}
