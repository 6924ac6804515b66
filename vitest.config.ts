import { availableParallelism } from 'node:os';
import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { isAtLeast, OLDEST_NODE } from './scripts/pinned-node.mjs';

if (!isAtLeast(process.version, OLDEST_NODE)) {
  throw new Error(
    `Vitest was started on Node.js ${process.version}. Start it with npm or npx, which run the one that the repository pins.`,
  );
}

// Packages are resolved to their sources (the `source` condition), so tests need no build.
const conditions = ['terrane-source', 'node', 'import', 'default'];

// Time-outs only end what hangs. Hooks start servers and compile programs, which takes longer than the ten seconds of
// Vitest while other tests occupy the processors.
const timeouts = {
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 60_000 } },
};

const shared: ViteUserConfig = {
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  oxc: { target: 'node22.18' },
};

const config: ViteUserConfig = defineConfig({
  test: {
    // Most tests wait for programs that they start, and some for time-outs: fewer workers leave a small machine idle.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    projects: [
      {
        ...shared,
        test: {
          // Beside the code: pure and fast, so files share a worker.
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts', 'providers/*/src/**/*.test.ts'],
          isolate: false,
          setupFiles: ['scripts/property-seed.ts'],
          ...timeouts,
        },
      },
      {
        ...shared,
        test: {
          // Scenarios run the built program, and the gates prove that they can fail.
          name: 'scenario',
          include: ['tests/**/*.test.ts', 'scripts/**/*.test.ts'],
          ...timeouts,
        },
      },
    ],
  },
});

export default config;
