import { EventEmitter } from 'node:events';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { StandInPort } from './ports.ts';

/** Gives the bundle its `process.parentPort`, as Electron's utility process has. */
const BOOTSTRAP = `
const { parentPort: thread, workerData } = require('node:worker_threads');
const { EventEmitter } = require('node:events');
const parentPort = Object.assign(new EventEmitter(), { postMessage: (message) => thread.postMessage(message) });
Object.assign(process, { parentPort });
const wrap = (port) => ({
  on: (event, callback) => port.on(event, (data) => callback({ data })),
  postMessage: (data) => port.postMessage(data),
  start: () => port.start(),
});
const early = [];
let deliver = (message) => early.push(message);
thread.on('message', (message) => deliver(message));
import(workerData.entry).then(() => {
  deliver = ({ data, ports }) => parentPort.emit('message', { data, ports: ports.map(wrap) });
  for (const message of early) deliver(message);
});
`;

export class StandInUtilityProcess extends EventEmitter {
  readonly worker: Worker;

  constructor(entry: string) {
    super();
    this.worker = new Worker(BOOTSTRAP, { eval: true, workerData: { entry: pathToFileURL(entry).href } });
    this.worker.once('online', () => this.emit('spawn'));
    this.worker.on('message', (message) => this.emit('message', message));
    this.worker.once('error', (error) => this.emit('crash', error));
    this.worker.once('exit', (code) => this.emit('exit', code));
  }

  postMessage(data: unknown, ports: readonly StandInPort[] = []): void {
    const raw = ports.map(({ port }) => port);
    this.worker.postMessage({ data, ports: raw }, raw);
  }

  kill(): boolean {
    void this.worker.terminate();
    return true;
  }
}
