import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

/** Builds an executable of the provider in a directory. */
export async function buildCrashPlugin(directory: string): Promise<void> {
  const path = join(directory, 'terraform-provider-crash');
  await build({
    entryPoints: [join(import.meta.dirname, 'crash-plugin.ts')],
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
  // The process that is started is the plugin itself, so that it can be killed.
  writeFileSync(path, `#!/bin/sh\nexec node ${JSON.stringify(`${path}.mjs`)} "$@"\n`);
  chmodSync(path, 0o755);
}
