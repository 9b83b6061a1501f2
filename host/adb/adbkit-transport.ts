import type { Duplex } from 'node:stream';
import { Parser } from '@devicefarmer/adbkit';
import { formatHostPort } from '../../shared/base/host-port.ts';
import { ProblemError, problem } from '../../shared/model/problem.ts';
import { serviceProblem, transportProblem } from './adb-problems.ts';
import { trackDevices } from './device-tracker.ts';
import type { AdbServerAddress } from './server-address.ts';
import { type ByteReader, openConversation } from './smart-socket.ts';
import type { AdbServerConnection } from './transport.ts';

/** Of one request and its answer, in ms. A phone that is asleep may take some seconds. */
const REQUEST_MS = 20_000;
/** `host:connect` and `host:pair` try the network for up to a minute. */
const NETWORK_MS = 75_000;

const adbkitReader = (socket: Duplex): ByteReader => {
  const parser = new Parser(socket);
  return (count) => parser.readBytes(count);
};

/**
 * The adb host protocol (adb `SERVICES.TXT`), one TCP connection a request.
 * Nothing is kept open but the tracker and the services that callers hold.
 * Never starts and never kills a server.
 */
export function createAdbkitTransport(address: AdbServerAddress): AdbServerConnection {
  const open = (what: string, signal?: AbortSignal, timeoutMs = REQUEST_MS, bulk = false) =>
    openConversation(address, {
      what,
      timeoutMs,
      reader: adbkitReader,
      bulk,
      ...(signal === undefined ? {} : { signal }),
    });

  /** A request that is answered by OKAY and one block of text. */
  const ask = async (service: string, what: string, signal?: AbortSignal, timeoutMs?: number): Promise<string> => {
    const conversation = await open(what, signal, timeoutMs);
    try {
      await conversation.send(service);
      await conversation.expectOkay((raw) => problem('adb-refused', { request: what }, raw));
      return await conversation.readBlock();
    } finally {
      conversation.close();
    }
  };

  return {
    host: address.host,
    port: address.port,

    async version(signal) {
      const text = await ask('host:version', 'host:version', signal);
      if (!/^[0-9a-f]{4}$/i.test(text)) throw protocolProblem(address, text);
      return Number.parseInt(text, 16);
    },

    trackDevices: (signal) => trackDevices({ open, ask, signal }),

    async features(serial, signal) {
      const conversation = await open('features', signal);
      try {
        await conversation.send(`host-serial:${serial}:features`);
        await conversation.expectOkay((raw) => transportProblem(serial, raw));
        const text = await conversation.readBlock();
        return text.split(',').filter((feature) => feature !== '');
      } finally {
        conversation.close();
      }
    },

    async openService(serial, service, signal) {
      const isSocket = service.startsWith('localabstract:');
      const conversation = await open(service.slice(0, 40), signal, REQUEST_MS, isSocket);
      try {
        await conversation.send(`host:transport:${serial}`);
        await conversation.expectOkay((raw) => transportProblem(serial, raw));
        await conversation.send(service);
        await conversation.expectOkay((raw) => serviceProblem(serial, service, raw));
        return conversation.release();
      } catch (error) {
        conversation.close();
        throw error;
      }
    },

    async connect(host, port) {
      const target = formatHostPort(host, port);
      const text = await ask(`host:connect:${target}`, 'host:connect', undefined, NETWORK_MS);
      if (/^(?:already )?connected to /.test(text)) return text;
      const code = /failed to authenticate/.test(text) ? 'connect-unauthorized' : 'connect-failed';
      throw new ProblemError(problem(code, { target }, text));
    },

    async disconnect(host, port) {
      const target = formatHostPort(host, port);
      const text = await refusedAs(ask(`host:disconnect:${target}`, 'host:disconnect'), 'disconnect-failed', target);
      if (/^no such device/i.test(text)) throw new ProblemError(problem('disconnect-failed', { target }, text));
      return text;
    },

    async pair(host, port, code) {
      const target = formatHostPort(host, port);
      const request = ask(`host:pair:${code}:${target}`, 'host:pair', undefined, NETWORK_MS);
      const text = await request.catch((error: unknown) => {
        if (error instanceof ProblemError && /unknown host service/.test(error.problem.raw ?? '')) {
          throw new ProblemError(problem('pair-unsupported', {}, error.problem.raw));
        }
        throw error;
      });
      if (!/^successfully paired/i.test(text)) throw new ProblemError(problem('pair-failed', { target }, text));
      return text;
    },
  };
}

async function refusedAs(answer: Promise<string>, code: string, target: string): Promise<string> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ProblemError && error.problem.code === 'adb-refused') {
      throw new ProblemError(problem(code, { target }, error.problem.raw), { cause: error });
    }
    throw error;
  }
}

function protocolProblem(address: AdbServerAddress, got: string): ProblemError {
  return new ProblemError(problem('adb-protocol', { host: address.host, port: address.port }, got.slice(0, 200)));
}
