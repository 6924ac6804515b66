// Entry point of the single executable, which contains Node.js and all files of the built program. No code is read from
// the disk, so nothing has to be verified before V8 runs the code that the build compiled. Built-in modules that
// `version` does not need are loaded where they are used.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type * as OS from 'node:os';
import { basename, dirname, join } from 'node:path';
import { getAssetKeys, getRawAsset } from 'node:sea';
import type * as V8 from 'node:v8';
import type * as VM from 'node:vm';
import { type ScriptName, startProgram } from './start-program.ts';

const directory = dirname(process.execPath);
const assets: ReadonlySet<string> = new Set(getAssetKeys());
const modules = new Map<string, { exports: unknown }>();

/** Built-in modules that are loaded when the program starts, or are small. */
const SMALL_MODULES: ReadonlySet<string> = new Set([
  'buffer',
  'events',
  'fs',
  'os',
  'path',
  'process',
  'sea',
  'string_decoder',
  'timers',
  'url',
  'util',
  'vm',
]);

/** The time in milliseconds after which the code of a run pays for its optimization by TurboFan. */
const LONG_RUN = 1_000;

let isLongRun = false;

function v8(): typeof V8 {
  return require('node:v8');
}

/** Enables V8's optimizing compiler, which the options of the start disable (`START_OPTIONS` in build-executable.ts). */
function enableTurboFan(): void {
  isLongRun = true;
  v8().setFlagsFromString('--turbo-filter=*');
}

/**
 * Loads code that was compiled under V8's default options, such as the built-in modules of Node.js, of which an apply
 * loads 60: under other options they are compiled from their text. The module that sets options loads streams itself,
 * so that only runs that load large modules do this.
 * The options are those of all threads; the program starts none that runs scripts.
 */
function underDefaultOptions<T>(load: () => T): T {
  const { setFlagsFromString } = v8();
  setFlagsFromString('--initial-old-space-size=0');
  setFlagsFromString('--turbo-filter=*');
  try {
    return load();
  } finally {
    if (!isLongRun) setFlagsFromString('--turbo-filter=none');
  }
}

function asset(name: string): Buffer {
  return Buffer.from(getRawAsset(name) as ArrayBuffer);
}

/** Returns compiled code, which the build aligned within its file: two bytes have the sizes before and after it. */
function compiledCode(name: string): Buffer {
  const file = asset(name);
  const [before = 0, after = 0] = file;
  return file.subarray(before, file.length - after);
}

function compile(text: string, options: VM.ScriptOptions): VM.Script {
  const vm: typeof VM = require('node:vm');
  return new vm.Script(text, options);
}

function compileScript(name: ScriptName): VM.Script {
  // Some commands have compiled code of their own, which is smaller than that of all commands.
  const own = `${name}-${process.argv[2] ?? ''}.cache`;
  const cache = assets.has(own) ? own : `${name}.cache`;
  const script = compile(asset(`${name}.cjs`).toString('latin1'), {
    filename: join(directory, `${name}.cjs`),
    // An executable that was built on another platform has no compiled code.
    ...(assets.has(cache) ? { cachedData: compiledCode(cache) } : {}),
  });
  // Set by the build, to verify the compiled code under the options of the executable.
  if (process.env['TERRANE_CODE_CACHE'] === 'require' && script.cachedDataRejected !== false)
    throw new Error(`V8 rejects ${cache}`);
  return script;
}

function runScript(name: ScriptName): unknown {
  if (name === 'program') {
    setTimeout(enableTurboFan, LONG_RUN).unref();
    return compileScript(name).runInThisContext();
  }
  // The code of the other script is compiled for the default options.
  return underDefaultOptions(() => compileScript(name)).runInThisContext();
}

/** Runs a bundled CommonJS module. */
function runModule(name: string, target: { exports: unknown }): void {
  const parameters = 'exports,require,module,__filename,__dirname';
  const text = `(function(${parameters}){${asset(name).toString()}\n})`;
  const run: unknown = compile(text, { filename: join(directory, name) }).runInThisContext();
  if (typeof run === 'function')
    run(target.exports, requireBundled, target, process.execPath, directory);
}

/** Loads an addon. The system loads these from files only: this one exists, for its owner, while it is loaded. */
function loadAddon(name: string, target: { exports: unknown }): void {
  const os: typeof OS = require('node:os');
  const directory = mkdtempSync(join(os.tmpdir(), 'terrane-addon-'));
  try {
    const path = join(directory, basename(name));
    writeFileSync(path, asset(name), { mode: 0o700, flag: 'wx' });
    process.dlopen(target, path);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Loads bundled files and built-in modules only. */
function requireBundled(specifier: string): unknown {
  const name = specifier.replace(/^\.\//, '');
  const existing = modules.get(name);
  if (existing !== undefined) return existing.exports;
  if (assets.has(name)) return bundledModule(name);
  const load = (): unknown => process.getBuiltinModule(specifier);
  const isSmall = SMALL_MODULES.has(specifier.replace(/^node:/, ''));
  const builtIn = isSmall ? load() : underDefaultOptions(load);
  if (builtIn === undefined) {
    const message = `Cannot find module '${specifier}'`;
    throw Object.assign(new Error(message), { code: 'MODULE_NOT_FOUND' });
  }
  modules.set(name, { exports: builtIn });
  return builtIn;
}

function bundledModule(name: string): unknown {
  const target: { exports: unknown } = { exports: {} };
  modules.set(name, target);
  if (name.endsWith('.node')) loadAddon(name, target);
  else runModule(name, target);
  return target.exports;
}

// Scripts of `terrane shim` pass the name of the replaced program as their first argument.
const shim = /^--called-as=(terraform|tofu)$/.exec(process.argv[2] ?? '')?.[1];
if (shim !== undefined) process.argv.splice(1, 2, join(directory, shim));
startProgram({ runScript, require: requireBundled, filename: process.execPath, directory });
