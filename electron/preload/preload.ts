import { ipcRenderer } from 'electron';

/**
 * All that crosses into the page are window messages: it says `cetp:ready` and
 * gets `cetp:port` with a MessagePort to the host, again after the host was
 * restarted, and `cetp:lost` when the host ended. No ipc, no Node, no function.
 */
const tell = (type: string, ports: readonly MessagePort[] = []) =>
  window.postMessage({ type }, window.location.origin, [...ports]);

ipcRenderer.on('cetp:port', (event) => tell('cetp:port', event.ports));
ipcRenderer.on('cetp:lost', () => tell('cetp:lost'));
window.addEventListener('message', (event) => {
  if (event.source === window && event.data?.type === 'cetp:ready') ipcRenderer.send('cetp:ready');
});
