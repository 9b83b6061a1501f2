import { contextBridge, ipcRenderer } from 'electron';

/**
 * The one thing that crosses into the page: a MessagePort to the host, on
 * request and again after the host was restarted. No ipc, no Node.
 */
ipcRenderer.on('cetp:port', (event) => {
  window.postMessage({ type: 'cetp:port' }, window.location.origin, [...event.ports]);
});
contextBridge.exposeInMainWorld('cetpPort', {
  request: () => ipcRenderer.send('cetp:ready'),
});
