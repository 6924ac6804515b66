// Installs the dependencies, and Node.js with them, if any is missing or differs from the lock file. Runs on the
// machine's Node.js; everything else runs on the one that it installs.
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { OLDEST_FOR_SETUP, isAtLeast, pinnedNode, verifyPinnedNode } from './pinned-node.mjs';
import { root, run } from './run.mjs';

/** Returns the packages that a lock file lists, by path; undefined if the file does not exist. */
function packagesOf(path) {
  try {
    return JSON.parse(readFileSync(join(root, path), 'utf8')).packages;
  } catch {
    return undefined;
  }
}

const contains = (list, value) => list === undefined || [list].flat().includes(value);

/** Returns the platform of this machine, in the terms of package manifests. */
function thisPlatform() {
  const { platform: os, arch: cpu } = process;
  if (os !== 'linux') return { os, cpu };
  // Else the report resolves the names of all network peers.
  process.report.excludeNetwork = true;
  const { glibcVersionRuntime } = process.report.getReport().header;
  return { os, cpu, libc: glibcVersionRuntime === undefined ? 'musl' : 'glibc' };
}

/**
 * Returns whether a package of the lock file is missing or installed in another version. Optional packages count if
 * they are for this platform: npm leaves them out silently if they could not be fetched, or if they support fewer
 * releases of Node.js than the one that npm ran on.
 */
export function isStale(wanted, installed, { os, cpu, libc }) {
  return Object.entries(wanted).some(([place, entry]) => {
    if (!place.startsWith('node_modules/')) return false;
    const found = installed[place];
    if (found !== undefined) return entry.link !== true && found.version !== entry.version;
    if (entry.optional !== true) return true;
    if (entry.os === undefined && entry.cpu === undefined) return false;
    return contains(entry.os, os) && contains(entry.cpu, cpu) && contains(entry.libc, libc);
  });
}

function isInstalled() {
  const wanted = packagesOf('package-lock.json') || {};
  // npm writes this file at the end of an install, so an interrupted install counts as missing.
  const installed = packagesOf('node_modules/.package-lock.json');
  return installed !== undefined && !isStale(wanted, installed, thisPlatform());
}

/** Installs all packages, by npm on the first Node.js of a PATH. */
function install(path) {
  console.log('$ npm ci');
  // Without warnings: the packages support fewer releases of Node.js than npm and this script.
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  return run('npm', args, { env: { ...process.env, PATH: path } });
}

/** Installs all packages once more, by npm on the pinned Node.js, for those that need a newer one than the machine's. */
function installOnPinnedNode() {
  const pinned = pinnedNode();
  if (pinned === undefined) return 0;
  console.log(
    `Some packages need a newer Node.js than ${process.version}. Installing on the pinned one:`,
  );
  // npm removes node_modules, and with it the pinned Node.js, before it installs.
  const copy = join(root, '.build', 'setup', basename(pinned));
  mkdirSync(dirname(copy), { recursive: true });
  copyFileSync(pinned, copy);
  return install(`${dirname(copy)}${delimiter}${process.env.PATH}`);
}

function setUp() {
  if (!isAtLeast(process.version, OLDEST_FOR_SETUP)) {
    console.error(
      `Error: npm and the setup of the repository need Node.js ${OLDEST_FOR_SETUP} or later, and this is ${process.version}. Install a current release; it installs the one that everything else runs on.`,
    );
    return 1;
  }
  if (!isInstalled()) {
    const code = install(process.env.PATH) || (isInstalled() ? 0 : installOnPinnedNode());
    if (code !== 0) return code;
  }
  return verifyPinnedNode();
}

if (process.argv[1]?.endsWith('setup.mjs')) process.exit(setUp());
