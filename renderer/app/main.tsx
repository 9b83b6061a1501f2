import '../ui/tokens.css';
import '../ui/base.css';
import '../ui/widgets.css';
import './shell.css';
import { QueryClient } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { createHostClient } from '../connection/host-client.ts';
import { problemOf } from '../connection/problem-of.ts';
import { apply } from '../ui/appearance.ts';
import { App } from './app.tsx';

apply();

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // The host says when something changed; a focused window alone is no reason to ask a device again.
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      staleTime: 60_000,
      networkMode: 'always',
      retry: (count, error) => count < 5 && problemOf(error).code === 'ui-connection-lost',
      retryDelay: 500,
    },
    mutations: { networkMode: 'always' },
  },
});

const root = document.getElementById('root');
if (root !== null) createRoot(root).render(<App host={createHostClient()} queries={queries} />);
