#!/usr/bin/env node
// Entry point of the npm package "terrane": starts the executable of the package for this platform if npm installed
// it and it can run, and the JavaScript program otherwise. It runs on old releases of Node.js too.
'use strict';

const fs = require('node:fs');
const path = require('node:path');

/** Dynamic linkers of glibc, and directories of libraries, by processor. */
const SYSTEMS = {
  x64: { linker: '/lib64/ld-linux-x86-64.so.2', libraries: 'x86_64-linux-gnu' },
  arm64: { linker: '/lib/ld-linux-aarch64.so.1', libraries: 'aarch64-linux-gnu' },
};

/** Returns whether a Linux system has glibc and libatomic, without which the executables cannot run. */
function hasSystemLibraries() {
  const system = SYSTEMS[process.arch];
  if (system === undefined || !fs.existsSync(system.linker)) return false;
  const directories = [
    `/usr/lib/${system.libraries}`,
    `/lib/${system.libraries}`,
    '/usr/lib64',
    '/lib64',
    '/usr/lib',
    '/lib',
  ];
  return directories.some((directory) => fs.existsSync(`${directory}/libatomic.so.1`));
}

/** Returns the directory of an installed package. Unlike `require.resolve`, never searches `NODE_PATH`. */
function packageDirectory(name) {
  if (process.versions.pnp !== undefined) {
    try {
      return path.dirname(require.resolve(`${name}/package.json`));
    } catch {
      return undefined;
    }
  }
  return module.paths
    .map((directory) => path.join(directory, name))
    .find((directory) => fs.existsSync(path.join(directory, 'package.json')));
}

/** Returns the path of the executable for this machine. */
function executable() {
  const { platform, arch } = process;
  if (platform === 'linux' && !hasSystemLibraries()) return undefined;
  const directory = packageDirectory(`@terrane/cli-${platform}-${arch}`);
  if (directory === undefined) return undefined;
  const file = path.join(directory, 'bin', platform === 'win32' ? 'terrane.exe' : 'terrane');
  return fs.existsSync(file) ? file : undefined;
}

/** Replaces this process; on Windows and with a Node.js that cannot, waits for the executable. */
function run(file) {
  const args = process.argv.slice(2);
  if (typeof process.execve === 'function' && process.platform !== 'win32') {
    process.execve(file, [file, ...args], process.env);
  }
  const child = require('node:child_process').spawn(file, args, { stdio: 'inherit' });
  // A terminal sends its signals to both processes. The executable decides what they mean.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']) {
    process.on(signal, () => {
      if (signal !== 'SIGINT') child.kill(signal);
    });
  }
  child.on('error', (error) => {
    process.stderr.write(`terrane: ${file} cannot be run: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.on('close', (code, signal) => {
    if (signal === null) process.exitCode = code;
    else {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    }
  });
}

const file = executable();
if (file === undefined) require('../dist/terrane.js');
else run(file);
