import { expect, test } from 'vitest';
import type { Connection, Connector } from './connector.ts';
import { createReconnectingLink } from './reconnecting-link.ts';

function fakeConnector() {
  const opened: { readonly name: string; readonly drop: () => void }[] = [];
  let refuse = 0;
  const connector: Connector = async () => {
    if (refuse > 0) {
      refuse--;
      throw new Error('refused');
    }
    const name = `c${opened.length + 1}`;
    const closed = Promise.withResolvers<void>();
    opened.push({ name, drop: () => closed.resolve() });
    const connection: Connection = {
      link: { call: async (path) => `${name}:${path.join('.')}` },
      closed: closed.promise,
    };
    return connection;
  };
  return { connector, opened, refuseNext: (count: number) => (refuse = count) };
}

const until = (link: ReturnType<typeof createReconnectingLink>, wanted: string) =>
  new Promise<void>((resolve) => {
    const look = () => {
      if (link.state() === wanted) resolve();
    };
    link.subscribe(look);
    look();
  });

test('a call made before the first connection waits for it', async () => {
  const { connector } = fakeConnector();
  const link = createReconnectingLink(connector);
  expect(link.state()).toBe('connecting');
  expect(await link.link.call(['app', 'info'], undefined, { context: {} })).toBe('c1:app.info');
  link.close();
});

test('says lost, comes back, and sends the waiting call over the new connection', async () => {
  const fake = fakeConnector();
  const link = createReconnectingLink(fake.connector);
  await until(link, 'open');
  fake.refuseNext(1);
  fake.opened[0]!.drop();
  await until(link, 'lost');
  const answer = link.link.call(['x'], undefined, { context: {} });
  link.retryNow();
  expect(await answer).toBe('c2:x');
  expect(link.state()).toBe('open');
  link.close();
});

test('a waiting call can be given up', async () => {
  const link = createReconnectingLink(() => new Promise(() => {}));
  const abort = new AbortController();
  const answer = link.link.call(['x'], undefined, { context: {}, signal: abort.signal });
  abort.abort(new Error('gave up'));
  await expect(answer).rejects.toThrow('gave up');
  link.close();
});
