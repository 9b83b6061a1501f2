import type { FileCheck, ResultFile } from '../../shared/model/result-file.ts';
import type { SchemaVerdict } from '../../shared/model/schema-verdict.ts';
import { Verdict } from '../parts/verdict.tsx';
import { useI18n } from '../ui/i18n.tsx';
import { SafeText } from '../ui/safe-text.tsx';
import { Badge, CopyButton } from '../ui/widgets.tsx';
import { CHECK_LOOKS } from './file-looks.ts';

/** What the Provider declared of its file, what came where that is something else, and our verdict on each. */
export function FileChecks({
  file,
  outputVerdict,
}: {
  readonly file: ResultFile;
  readonly outputVerdict: SchemaVerdict;
}) {
  const { t } = useI18n();
  const { received } = file;
  const { sizeBytes } = file;
  const size = /^\d{1,15}$/.test(sizeBytes ?? '') ? Number(sizeBytes).toLocaleString('en-US') : sizeBytes;
  const bytes = received === null || received.state === 'receiving' ? null : received.bytes.toLocaleString('en-US');
  // That of a part compares with nothing.
  const digest = received?.checks.digest === 'not-checked' ? null : (received?.sha256 ?? null);
  return (
    <table className="table fine result-checks">
      <caption className="sr-only">{t('uiResult.verdict')}</caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">{t('uiResult.member')}</th>
          <th scope="col">{t('uiResult.declared')}</th>
          <th scope="col">{t('uiResult.verdict')}</th>
        </tr>
      </thead>
      <tbody>
        <Line name="size_bytes" declared={size} came={bytes} check={received?.checks.size} />
        <Line name="sha256" declared={file.sha256} came={digest} check={received?.checks.digest} />
        <Line name="media_type" declared={file.mediaType} came={null} check={received?.checks.mediaType} />
        <tr>
          <th scope="row" className="mono">
            output_schema
          </th>
          <td />
          <td>
            <Verdict verdict={outputVerdict} subject="output" brief />
          </td>
        </tr>
      </tbody>
    </table>
  );
}

function Line({
  name,
  declared,
  came,
  check = 'not-checked',
}: {
  readonly name: string;
  readonly declared: string | null;
  readonly came: string | null;
  readonly check?: FileCheck | undefined;
}) {
  const { t } = useI18n();
  const look = CHECK_LOOKS[check];
  return (
    <tr>
      <th scope="row" className="mono">
        {name}
      </th>
      <td className="mono">
        {declared === null ? (
          <span className="dim">{t('common.none')}</span>
        ) : check === 'same' && declared.length > 40 ? (
          <span className="row" title={declared}>
            <SafeText text={`${declared.slice(0, 16)}…${declared.slice(-8)}`} fixed />
            <CopyButton text={declared} />
          </span>
        ) : (
          <span className="anywhere">
            <SafeText text={declared} limit={200} />
          </span>
        )}
        {came === null || check === 'same' ? null : (
          <div className="anywhere">
            <span className="dim">{t('uiResult.came')} </span>
            {came}
          </div>
        )}
      </td>
      <td>
        <Badge tone={look.tone} icon={look.icon} look={look.tone === 'plain' ? 'dashed' : 'soft'}>
          {t(`uiResult.check.${check}`)}
        </Badge>
      </td>
    </tr>
  );
}
