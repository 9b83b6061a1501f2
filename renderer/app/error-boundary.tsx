import { Component, type ReactNode } from 'react';
import { ProblemView } from '../parts/problem-view.tsx';
import { useI18n } from '../ui/i18n.tsx';
import { Button } from '../ui/widgets.tsx';

interface Props {
  readonly children: ReactNode;
  /** A change clears the failure: another page may well work. */
  readonly resetKey?: string;
}

/** A bug on a page shows itself there, and leaves the rest of the app usable. */
export class ErrorBoundary extends Component<
  Props,
  { readonly error: Error | null; readonly key: string | undefined }
> {
  override state: { readonly error: Error | null; readonly key: string | undefined } = { error: null, key: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  static getDerivedStateFromProps(props: Props, state: { readonly key: string | undefined }) {
    return props.resetKey === state.key ? null : { error: null, key: props.resetKey };
  }

  override render(): ReactNode {
    const { error } = this.state;
    return error === null ? this.props.children : <Failure error={error} />;
  }
}

function Failure({ error }: { readonly error: Error }) {
  const { t } = useI18n();
  return (
    <div className="page-body">
      <ProblemView problem={{ code: 'unexpected', params: {}, raw: error.stack ?? error.message }} alert>
        <div>
          <Button icon="refresh" onClick={() => window.location.reload()}>
            {t('shell.reload')}
          </Button>
        </div>
      </ProblemView>
    </div>
  );
}
