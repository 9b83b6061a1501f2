import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { HostProvider } from '../connection/context.tsx';
import type { Host } from '../connection/host-client.ts';
import { resolvedLocale, useAppearance, useStoredAppearance } from '../ui/appearance.ts';
import { I18nProvider } from '../ui/i18n.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { Shell } from './shell.tsx';

export function App({ host, queries }: { readonly host: Host; readonly queries: QueryClient }) {
  useAppearance();
  useStoredAppearance(host.client);
  return (
    <I18nProvider locale={resolvedLocale()}>
      <ErrorBoundary>
        <QueryClientProvider client={queries}>
          <HostProvider host={host}>
            <Shell />
          </HostProvider>
        </QueryClientProvider>
      </ErrorBoundary>
    </I18nProvider>
  );
}
