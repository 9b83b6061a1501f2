import { MessageChannel, type MessagePort } from 'node:worker_threads';

/** Electron's MessagePortMain over a real port of Node: events carry `data`. */
export class StandInPort {
  readonly port: MessagePort;
  constructor(port: MessagePort) {
    this.port = port;
  }
  on(event: string, callback: (event: { data: unknown; ports: StandInPort[] }) => void): void {
    this.port.on(event as 'message', (data: unknown) => callback({ data, ports: [] }));
  }
  postMessage(data: unknown): void {
    this.port.postMessage(data);
  }
  start(): void {
    this.port.start();
  }
  close(): void {
    this.port.close();
  }
}

export class MessageChannelMain {
  readonly port1: StandInPort;
  readonly port2: StandInPort;
  constructor() {
    const { port1, port2 } = new MessageChannel();
    this.port1 = new StandInPort(port1);
    this.port2 = new StandInPort(port2);
  }
}
