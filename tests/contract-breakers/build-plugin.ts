// Builds an executable of the test provider.
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

/** Builds the plugin and gives the directory that holds its executable. */
export async function buildPlugin(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'breaker-plugin-'));
  const path = join(directory, 'terraform-provider-breaker');
  await build({
    entryPoints: [join(import.meta.dirname, 'breaker-plugin.ts')],
    outfile: `${path}.mjs`,
    bundle: true,
    platform: 'node',
    target: 'node22.18',
    format: 'esm',
    conditions: ['terrane-source'],
    banner: {
      js: `import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);`,
    },
    logLevel: 'error',
  });
  writeFileSync(path, `#!/usr/bin/env node\nimport(${JSON.stringify(`${path}.mjs`)});\n`);
  chmodSync(path, 0o755);
  return directory;
}
