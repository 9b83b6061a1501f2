import { lazy, Suspense, useEffect, useState } from 'react';
import { DemoScreen } from '../features/demo-screen/demo-screen.tsx';
import { HomePage } from '../features/home/home-page.tsx';
import { useI18n } from '../ui/i18n.tsx';
import { usePath } from '../ui/location.ts';
import { Blank, Loading } from '../ui/widgets.tsx';
import { ConnectionBanner } from './connection-banner.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { parseRoute, type Route } from './routes.ts';
import { ShortcutsDialog } from './shortcuts-dialog.tsx';
import { Sidebar } from './sidebar.tsx';

const DevicePage = lazy(() => import('../features/devices/device-page.tsx').then((m) => ({ default: m.DevicePage })));
const ProviderPage = lazy(() =>
  import('../features/providers/provider-page.tsx').then((m) => ({ default: m.ProviderPage })),
);
const CatalogPage = lazy(() =>
  import('../features/catalog/catalog-page.tsx').then((m) => ({ default: m.CatalogPage })),
);
const ComposerPage = lazy(() =>
  import('../features/composer/composer-page.tsx').then((m) => ({ default: m.ComposerPage })),
);
const ActivityPage = lazy(() =>
  import('../features/activity/activity-page.tsx').then((m) => ({ default: m.ActivityPage })),
);
const HistoryPage = lazy(() =>
  import('../features/history/history-page.tsx').then((m) => ({ default: m.HistoryPage })),
);
const SavedPage = lazy(() => import('../features/saved/saved-page.tsx').then((m) => ({ default: m.SavedPage })));
const SettingsPage = lazy(() =>
  import('../features/settings/settings-page.tsx').then((m) => ({ default: m.SettingsPage })),
);

export function Shell() {
  const { t } = useI18n();
  const path = usePath();
  const route = parseRoute(path);
  const [help, setHelp] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (event.key === '?') setHelp(true);
      if (event.key === 'p') document.querySelector<HTMLElement>('[data-demo-screen]')?.focus();
      if (event.key === '/') {
        const search = document.querySelector<HTMLInputElement>('main [data-search], [data-search]');
        if (search !== null) {
          event.preventDefault();
          search.focus();
          search.select();
        }
      }
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  return (
    <div className="shell">
      <button type="button" className="skip" onClick={() => document.getElementById('main')?.focus()}>
        {t('shell.skip')}
      </button>
      <Sidebar route={route} onHelp={() => setHelp(true)} />
      <div className="main-column">
        <ConnectionBanner />
        <main id="main" tabIndex={-1} className="app-main">
          <ErrorBoundary resetKey={path}>
            <Suspense fallback={<Loading />}>
              <Page route={route} />
            </Suspense>
          </ErrorBoundary>
        </main>
      </div>
      <DemoScreen />
      {help ? <ShortcutsDialog onClose={() => setHelp(false)} /> : null}
    </div>
  );
}

function Page({ route }: { readonly route: Route }) {
  const { t } = useI18n();
  switch (route.page) {
    case 'home':
      return <HomePage />;
    case 'activity':
      return <ActivityPage />;
    case 'history':
      return <HistoryPage />;
    case 'saved':
      return <SavedPage />;
    case 'settings':
      return <SettingsPage />;
    case 'device':
      return <DevicePage key={`${route.on.deviceKey} ${route.on.userId}`} on={route.on} tab={route.tab} />;
    case 'provider':
      return <ProviderPage key={keyOf(route)} of={route.of} tab={route.tab} />;
    case 'tools':
      return <CatalogPage key={keyOf(route)} of={route.of} index={route.index} />;
    case 'composer':
      return <ComposerPage key={`${keyOf(route)} ${route.index}`} of={route.of} index={route.index} />;
    case 'not-found':
      return (
        <Blank icon="question" title={t('shell.notFound')}>
          <a className="link" href="#/">
            {t('shell.toStart')}
          </a>
        </Blank>
      );
  }
}

function keyOf({ of }: Extract<Route, { readonly of: unknown }>): string {
  return JSON.stringify(of);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest('input, textarea, select, .monaco-editor, dialog') !== null)
  );
}
