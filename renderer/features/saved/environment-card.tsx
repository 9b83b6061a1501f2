import { useState } from 'react';
import type { CollectionEnvironment } from '../../../shared/model/collection.ts';
import type { Problem } from '../../../shared/model/problem.ts';
import { useClient } from '../../connection/context.tsx';
import { problemOf } from '../../connection/problem-of.ts';
import { ProblemView } from '../../parts/problem-view.tsx';
import { useI18n } from '../../ui/i18n.tsx';
import { SafeText } from '../../ui/safe-text.tsx';
import { Badge, Button, Card } from '../../ui/widgets.tsx';

/** Variables of the chosen environment; secrets can be set and never read. */
export function EnvironmentCard({
  folder,
  environment,
  onChanged,
}: {
  readonly folder: string;
  readonly environment: CollectionEnvironment;
  readonly onChanged: () => void;
}) {
  const { t } = useI18n();
  const variables = Object.entries(environment.variables);
  return (
    <Card
      title={
        <>
          {t('uiSaved.environment')} <SafeText text={environment.name} limit={60} fixed />
        </>
      }
    >
      <div className="stack">
        {environment.problem === null ? null : <ProblemView problem={environment.problem} tone="warn" />}
        {variables.length === 0 ? null : (
          <dl className="facts">
            {variables.map(([name, value]) => (
              <div key={name} style={{ display: 'contents' }}>
                <dt className="mono">
                  <SafeText text={name} limit={64} />
                </dt>
                <dd className="mono">
                  <SafeText text={value} limit={300} />
                </dd>
              </div>
            ))}
          </dl>
        )}
        {environment.secrets.map(({ name, isSet }) => (
          <Secret key={name} {...{ folder, name, isSet, onChanged }} environment={environment.name} />
        ))}
      </div>
    </Card>
  );
}

function Secret({
  folder,
  environment,
  name,
  isSet,
  onChanged,
}: {
  readonly folder: string;
  readonly environment: string;
  readonly name: string;
  readonly isSet: boolean;
  readonly onChanged: () => void;
}) {
  const { t } = useI18n();
  const client = useClient();
  const [value, setValue] = useState('');
  const [failure, setFailure] = useState<Problem | null>(null);
  const put = (next: string | null) => {
    setFailure(null);
    client.collections.putSecret({ folder, environment, name, value: next }).then(
      () => {
        setValue('');
        onChanged();
      },
      (error: unknown) => setFailure(problemOf(error)),
    );
  };
  return (
    <form
      className="stack-s"
      onSubmit={(event) => {
        event.preventDefault();
        if (value !== '') put(value);
      }}
    >
      <div className="row wrap">
        <span className="mono strong">
          <SafeText text={name} limit={64} fixed />
        </span>
        <Badge icon="key" tone={isSet ? 'ok' : 'warn'}>
          {isSet ? t('uiSaved.secretSet') : t('uiSaved.secretMissing')}
        </Badge>
        <input
          className="text-input mono"
          style={{ width: 180 }}
          type="password"
          autoComplete="off"
          value={value}
          aria-label={t('uiSaved.secretValue', { name })}
          placeholder={t('uiSaved.secretPlaceholder')}
          onChange={(event) => setValue(event.target.value)}
        />
        <Button small type="submit" disabled={value === ''}>
          {t('uiSaved.secretPut')}
        </Button>
        {isSet ? (
          <Button small look="quiet" onClick={() => put(null)}>
            {t('uiSaved.secretRemove')}
          </Button>
        ) : null}
      </div>
      {failure === null ? null : <ProblemView problem={failure} alert />}
    </form>
  );
}
