import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { RESULT_DEFAULTS, RESULT_SETTINGS, resultSetting } from '../../../shared/model/result-settings.ts';
import { useOrpc } from '../../connection/context.tsx';
import { problemOf } from '../../connection/problem-of.ts';
import { ProblemView } from '../../parts/problem-view.tsx';
import { useI18n } from '../../ui/i18n.tsx';
import { Card } from '../../ui/widgets.tsx';

const NAMES = ['maxFile', 'keepDays', 'keepTotal'] as const;

/** How large a file of a result may be, and how long and how many are kept. */
export function ResultsCard() {
  const { t } = useI18n();
  const orpc = useOrpc();
  const settings = useQuery(orpc.app.getSettings.queryOptions());
  return (
    <Card title={t('uiResult.settings')}>
      <div className="stack">
        {settings.error === null ? null : <ProblemView problem={problemOf(settings.error)} />}
        {settings.data === undefined
          ? null
          : NAMES.map((name) => <Limit key={name} name={name} saved={settings.data[RESULT_SETTINGS[name]] ?? ''} />)}
        <p className="dim fine">{t('uiResult.settingsHelp')}</p>
      </div>
    </Card>
  );
}

function Limit({ name, saved }: { readonly name: (typeof NAMES)[number]; readonly saved: string }) {
  const { t } = useI18n();
  const orpc = useOrpc();
  const [text, setText] = useState(resultSetting(saved) === null ? '' : saved);
  const put = useMutation(orpc.app.putSetting.mutationOptions());
  const valid = text === '' || resultSetting(text) !== null;
  return (
    <label className="row wrap">
      <span style={{ width: 260 }}>{t(`uiResult.settings.${name}`)}</span>
      <input
        className="text-input num"
        style={{ width: 110 }}
        inputMode="numeric"
        value={text}
        placeholder={String(RESULT_DEFAULTS[name])}
        aria-invalid={!valid}
        onChange={(event) => {
          const next = event.target.value.trim();
          setText(next);
          if (next === '' || resultSetting(next) !== null) put.mutate({ key: RESULT_SETTINGS[name], value: next });
        }}
      />
      <span className="dim">{t(`uiResult.settings.unit.${name}`)}</span>
      {put.error === null ? null : <ProblemView problem={problemOf(put.error)} alert />}
    </label>
  );
}
