// Builds what the shells load: the renderer, and the bundles of host, main and preload.
export {};
