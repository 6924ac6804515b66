// The Node.js that the repository pins: an optional dependency for each platform, whose binary is linked as
// node_modules/.bin/node, which comes first on the PATH of npm scripts. This file runs on the machine's Node.js.
import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root, versionOf } from './run.mjs';

const { engines, optionalDependencies } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);
const PLATFORMS = { linux: 'linux', darwin: 'darwin', win32: 'win' };

/** The oldest Node.js that runs the sources and the published packages, such as "22.18". */
export const OLDEST_NODE = engines.node.replace('>=', '');

/** The oldest Node.js that runs npm and setup.mjs. */
export const OLDEST_FOR_SETUP = '18';

/** Returns whether a Node.js version is at least another one, whose last numbers may be absent. */
export function isAtLeast(version, oldest) {
  const numbers = version.replace(/^v/, '').split('.').map(Number);
  const differences = oldest.split('.').map((number, index) => numbers[index] - Number(number));
  return (differences.find((difference) => difference !== 0) || 0) >= 0;
}

/** Returns the package with Node.js for a platform, and its version; undefined if there is none. */
export function pinnedPackage(platform, arch) {
  const names = [`node-${PLATFORMS[platform]}-${arch}`, `node-bin-${PLATFORMS[platform]}-${arch}`];
  const name = names.find((each) => each in optionalDependencies);
  return name === undefined ? undefined : { name, version: optionalDependencies[name] };
}

/** Returns the path of the pinned binary; undefined if it is not installed. */
export function pinnedNode() {
  const name = pinnedPackage(process.platform, process.arch)?.name;
  if (name === undefined) return undefined;
  const file = process.platform === 'win32' ? 'node.exe' : 'node';
  const path = join(root, 'node_modules', name, 'bin', file);
  return existsSync(path) ? path : undefined;
}

/**
 * Describes the fallback to the machine's Node.js if the pinned one does not run; `fails` if the machine's is too old.
 * Returns undefined if the pinned one runs.
 */
export function describeFallback({ platform, arch, machine, pinnedRuns }) {
  if (pinnedRuns) return undefined;
  const wanted = pinnedPackage(platform, arch);
  const reason =
    wanted === undefined
      ? `the repository pins no Node.js for ${platform}-${arch}`
      : `Node.js ${wanted.version} of the package ${wanted.name} could not be installed or does not run on this machine`;
  return isAtLeast(machine, OLDEST_NODE)
    ? { fails: false, message: `Warning: ${reason}. Node.js ${machine} is used instead.` }
    : {
        fails: true,
        message: `Error: ${reason}, and Node.js ${machine} is older than ${OLDEST_NODE}. Install Node.js ${OLDEST_NODE} or later.`,
      };
}

const LINKS = join(root, 'node_modules', '.bin');

/**
 * Links the pinned binary. npm does as well, but npm 10 removes the link again with the packages of other platforms,
 * whose binaries have the same name.
 */
export function linkPinnedNode() {
  const path = pinnedNode();
  const link = join(LINKS, 'node');
  if (path === undefined || process.platform === 'win32' || existsSync(link)) return;
  rmSync(link, { force: true });
  symlinkSync(relative(LINKS, path), link);
}

/** Verifies that the pinned Node.js runs. If not, removes the link and reports the fallback; returns an exit code. */
export function verifyPinnedNode() {
  const path = pinnedNode();
  const { platform, arch, version: machine } = process;
  const pinnedRuns = path !== undefined && versionOf(path) !== undefined;
  const fallback = describeFallback({ platform, arch, machine, pinnedRuns });
  if (fallback === undefined) {
    linkPinnedNode();
    return 0;
  }
  // npm scripts would run it in spite of that.
  for (const name of ['node', 'node.cmd', 'node.ps1']) rmSync(join(LINKS, name), { force: true });
  console.error(fallback.message);
  return fallback.fails ? 1 : 0;
}

// After each install by npm, whoever started it.
if (process.argv[1]?.endsWith('pinned-node.mjs')) linkPinnedNode();
