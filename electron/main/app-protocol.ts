import { Readable } from 'node:stream';
import type { Protocol } from 'electron';
import { openDownload, readStatic } from '../../host/server/static-files.ts';
import { SECURITY_HEADERS } from '../../shared/contract/security.ts';

/** The app's own scheme, instead of file://: a real origin, and nothing else of the disk. */
export const APP_SCHEME = 'cetp-app';
export const APP_ORIGIN = `${APP_SCHEME}://app`;

/** Answers `cetp-app://app/…` from the built renderer, and a result's file as a download, with the security headers. */
export function serveRenderer(protocol: Protocol, rendererRoot: string, resultsFolder: string): void {
  protocol.handle(APP_SCHEME, async (request) => {
    const url = new URL(request.url);
    const found = url.host === 'app' ? await openDownload(resultsFolder, url.pathname) : null;
    if (found !== null) return new Response(Readable.toWeb(found.stream) as ReadableStream, { headers: found.headers });
    const file = url.host === 'app' ? await readStatic(rendererRoot, url.pathname) : null;
    if (file === null) return new Response('Not found', { status: 404, headers: { ...SECURITY_HEADERS } });
    return new Response(new Uint8Array(file.body), {
      headers: { ...SECURITY_HEADERS, 'content-type': file.type },
    });
  });
}
