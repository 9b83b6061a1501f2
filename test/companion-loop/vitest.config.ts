import { defineConfig } from 'vitest/config';

/** Apart from the projects of `npm test`: it needs what Maven has built, see README.md. */
export default defineConfig({
  test: {
    name: 'companion-loop',
    include: ['test/companion-loop/**/*.test.ts'],
    environment: 'node',
    testTimeout: 60_000,
    hookTimeout: 120_000,
    fileParallelism: false,
  },
});
