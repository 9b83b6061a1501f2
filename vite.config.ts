import { defineConfig } from 'vite';

/** Builds the renderer for every shell: relative addresses serve a custom scheme and http alike. */
export default defineConfig({
  root: 'renderer',
  base: './',
  publicDir: false,
  build: {
    outDir: '../dist/renderer',
    emptyOutDir: true,
    target: 'es2023',
    modulePreload: { polyfill: false },
    sourcemap: false,
    chunkSizeWarningLimit: 4096,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // Directives of libraries for servers mean nothing here.
    rolldownOptions: { checks: { moduleLevelDirective: false, bundlerTimings: false } },
  },
  worker: { format: 'es' },
});
