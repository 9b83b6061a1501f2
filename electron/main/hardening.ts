import type { App, Session } from 'electron';
import { RESULTS_PATH } from '../../shared/contract/security.ts';
import { APP_ORIGIN } from './app-protocol.ts';

/** Holds for every web contents that ever exists: no navigation, no new windows, no webviews. */
export function hardenApp(app: App): void {
  app.enableSandbox();
  app.on('web-contents-created', (_event, contents) => {
    contents.on('will-navigate', (event) => {
      if (!event.url.startsWith(`${APP_ORIGIN}/`)) event.preventDefault();
    });
    contents.on('will-redirect', (event) => event.preventDefault());
    contents.on('will-attach-webview', (event) => event.preventDefault());
    contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  });
}

/** Denies every permission and device, and keeps the session off the network. */
export function hardenSession(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, answer) => {
    // Writing to the clipboard is what the copy buttons do; everything else is denied.
    answer(permission === 'clipboard-sanitized-write');
  });
  session.setPermissionCheckHandler((_contents, permission) => permission === 'clipboard-sanitized-write');
  session.setDevicePermissionHandler(() => false);
  session.setSpellCheckerEnabled(false);
  session.webRequest.onBeforeRequest((details, answer) => {
    const local = /^(cetp-app|devtools|blob|data):/.test(details.url);
    answer({ cancel: !local });
  });
  session.on('will-download', (event, item) => {
    // The one thing of ours that is saved to the disk: the file of a result; the system asks where to.
    const isResult = item.getURL().startsWith(`${APP_ORIGIN}${RESULTS_PATH}`);
    if (!isResult && !/^(blob|data):/.test(item.getURL())) event.preventDefault();
  });
}
