import { ipcRenderer } from 'electron';

/**
 * The one thing that crosses into the page: a MessagePort to the host. The page
 * gets no ipc, no Node and no function of ours.
 */
ipcRenderer.on('cetp:port', (event) => {
  window.postMessage({ type: 'cetp:port' }, window.location.origin, [...event.ports]);
});
window.addEventListener('message', (event) => {
  if (event.source === window && event.data?.type === 'cetp:ready') ipcRenderer.send('cetp:ready');
});
