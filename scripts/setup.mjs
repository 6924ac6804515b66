// Installs the dependencies where they are missing or not those of the lock file; else does nothing.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from './run.mjs';

/** The packages that a lock file lists, by their place; undefined where there is no such file. */
function packagesOf(path) {
  try {
    return JSON.parse(readFileSync(join(root, path), 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/** Whether what is installed lacks a package of the lock file or has another version of it. */
export function isStale(wanted, installed) {
  return Object.entries(wanted).some(([place, { version, optional, link }]) => {
    if (!place.startsWith('node_modules/')) return false;
    const found = installed[place];
    if (found === undefined) return optional !== true;
    return link !== true && found.version !== version;
  });
}

if (process.argv[1]?.endsWith('setup.mjs')) {
  const wanted = packagesOf('package-lock.json') ?? {};
  // npm writes this file at the end of an install, so an interrupted install counts as missing.
  const installed = packagesOf('node_modules/.package-lock.json');
  if (installed === undefined || isStale(wanted, installed)) {
    console.log('$ npm ci');
    process.exit(run('npm', ['ci', '--no-audit', '--no-fund']));
  }
}
