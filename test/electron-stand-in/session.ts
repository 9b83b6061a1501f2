import { EventEmitter } from 'node:events';

type Answer<T> = (value: T) => void;

/** The default session: what the shell denied, and how its scheme answers. */
export class StandInSession extends EventEmitter {
  permissionRequest: ((contents: unknown, permission: string, answer: Answer<boolean>) => void) | null = null;
  permissionCheck: ((contents: unknown, permission: string) => boolean) | null = null;
  devicePermission: (() => boolean) | null = null;
  spellChecker = true;
  #handlers = new Map<string, (request: Request) => Promise<Response>>();
  #before: ((details: { url: string }, answer: Answer<{ cancel: boolean }>) => void) | null = null;

  readonly protocol = {
    handle: (scheme: string, handler: (request: Request) => Promise<Response>) => {
      this.#handlers.set(scheme, handler);
    },
  };
  readonly webRequest = {
    onBeforeRequest: (listener: (details: { url: string }, answer: Answer<{ cancel: boolean }>) => void) => {
      this.#before = listener;
    },
  };

  setPermissionRequestHandler(handler: StandInSession['permissionRequest']): void {
    this.permissionRequest = handler;
  }
  setPermissionCheckHandler(handler: StandInSession['permissionCheck']): void {
    this.permissionCheck = handler;
  }
  setDevicePermissionHandler(handler: StandInSession['devicePermission']): void {
    this.devicePermission = handler;
  }
  setSpellCheckerEnabled(enabled: boolean): void {
    this.spellChecker = enabled;
  }

  /** What the session answers to a request; null when it was cancelled or has no handler. */
  async answer(url: string): Promise<Response | null> {
    const cancelled = await new Promise<boolean>((resolve) => {
      if (this.#before === null) resolve(false);
      else this.#before({ url }, ({ cancel }) => resolve(cancel));
    });
    if (cancelled) return null;
    const handler = this.#handlers.get(new URL(url).protocol.slice(0, -1));
    return handler === undefined ? null : handler({ url } as Request);
  }
}
