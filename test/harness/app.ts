import path from 'node:path';
import { createHost, type Host, type HostOptions } from '../../host/host.ts';
import { type RunningServer, startServer } from '../../host/server/server.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
/** The built renderer, as users get it. */
export const RENDERER_ROOT = path.join(ROOT, 'dist', 'renderer');
/** Screenshots that a person looks at; not under version control. */
export const SCREENS = path.join(ROOT, 'test-results', 'screens');

export interface ServedApp {
  readonly host: Host;
  readonly server: RunningServer;
  readonly url: string;
  close(): Promise<void>;
}

/** The whole product but for the window: the host and its web server, in this process. No adb server unless one is named. */
export async function serveApp(options: Partial<HostOptions> & { readonly port?: number } = {}): Promise<ServedApp> {
  const { port = 0, ...rest } = options;
  const host = await createHost({
    journalFile: ':memory:',
    assetsRoot: null,
    version: '0.0.0-test',
    demo: false,
    // Nothing of this machine's own adb: neither its server nor its binary.
    env: { PATH: '/nonexistent' },
    watchLocal: rest.adb !== undefined,
    ...rest,
  });
  const server = await startServer({
    router: host.router,
    resultsFolder: host.resultsFolder,
    rendererRoot: RENDERER_ROOT,
    port,
  });
  return {
    host,
    server,
    url: server.url,
    close: async () => {
      await server.close();
      await host.close();
    },
  };
}
