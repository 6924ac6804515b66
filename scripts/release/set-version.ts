/** Sets the version of all packages: `npm run release:version -- 1.2.3`. All packages have one version. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.ts';
import { readIdentity } from './identity.ts';

/** Returns a text with the version of the packages and of their dependencies on each other replaced. */
export function withVersion(manifest: string, former: string, next: string): string {
  return manifest
    .replace(`"version": "${former}"`, `"version": "${next}"`)
    .replace(/("@terrane\/[\w-]+": )"[^"]+"/g, `$1"${next}"`);
}

function change(path: string, edit: (text: string) => string): void {
  const before = readFileSync(join(root, path), 'utf8');
  const after = edit(before);
  if (after === before) throw new Error(`${path} does not contain the former version`);
  writeFileSync(join(root, path), after);
}

if (import.meta.main) {
  const [next = ''] = process.argv.slice(2);
  if (!/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(next)) {
    console.error(`"${next}" is not a version. Usage: npm run release:version -- 1.2.3`);
    process.exit(1);
  }
  const { version } = readIdentity();
  for (const group of ['packages', 'providers']) {
    for (const name of readdirSync(join(root, group)))
      change(`${group}/${name}/package.json`, (text) => withVersion(text, version, next));
  }
  change('packages/engine/src/lang/version.ts', (text) =>
    text.replace(`TERRANE_VERSION: string = '${version}'`, `TERRANE_VERSION: string = '${next}'`),
  );
  console.log(`All packages have version ${next}. Run npm install to update the lock file.`);
}
