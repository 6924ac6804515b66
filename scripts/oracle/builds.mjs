// Shared by the scripts of this folder, which build programs that tests compare Terrane with.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Suffix of executables on this platform. */
export const EXECUTABLE = process.platform === 'win32' ? '.exe' : '';

/** The directory of all builds: `TERRANE_ORACLE_CACHE`, or `~/.cache/terrane-oracle`. */
export function cacheDirectory() {
  return process.env.TERRANE_ORACLE_CACHE || join(homedir(), '.cache', 'terrane-oracle');
}

/** Runs a command with its output on the terminal. Throws if it fails. */
export function run(command, args, options = {}) {
  execFileSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'], ...options });
}

/** Environment of Go builds: static executables without data of a version control system. */
export function goEnvironment(extra = {}) {
  return { ...process.env, GOFLAGS: '-buildvcs=false', CGO_ENABLED: '0', ...extra };
}

/** Calls `build` with a temporary directory and removes the directory afterwards. */
export function inTemporaryDirectory(name, build) {
  const work = mkdtempSync(join(tmpdir(), `terrane-oracle-${name}-`));
  try {
    return build(work);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Moves a built executable to its place in the cache in one step, so that no reader sees a part of it. */
export function keepExecutable(built, target) {
  mkdirSync(dirname(target), { recursive: true });
  const partial = `${target}.${process.pid}.partial`;
  copyFileSync(built, partial);
  chmodSync(partial, 0o755);
  renameSync(partial, target);
}
