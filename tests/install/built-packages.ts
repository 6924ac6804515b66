// The packages as `npm run build` made them. Tests do not build them: others use the result at the same time.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/root.ts';

/** Throws if the packages are not built. */
export function requireBuiltPackages(): void {
  const needed = ['packages/cli/dist/terrane.js', 'packages/hcl/dist/index.js'];
  if (needed.some((path) => !existsSync(join(root, path))))
    throw new Error('The packages are not built. Run `npm run build` first.');
}
