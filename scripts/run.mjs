// Starts other programs for the plain scripts, which must work before anything is installed.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the repository. */
export const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Runs a program with its output going to ours; gives its exit code (1 where it could not start). */
export function run(program, args, options = {}) {
  const done = spawnSync(program, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
    ...options,
  });
  if (done.error !== undefined) console.error(`${program}: ${done.error.message}`);
  return done.status ?? 1;
}

/** The path of a program that a development dependency installed. */
export function tool(name) {
  return join(root, 'node_modules', '.bin', name);
}

/** Runs a TypeScript file of the repository with packages resolved to their sources. */
export function runTypeScript(file, args = [], options = {}) {
  const launch = ['--conditions=terrane-source', join(root, file), ...args];
  return run(process.execPath, launch, { shell: false, ...options });
}

/** Returns the version of a Node.js binary, such as "26.10.0"; undefined if it does not run. */
export function versionOf(node) {
  const { status, stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' });
  return status === 0 ? stdout.trim().replace(/^v/, '') : undefined;
}
