// Entry point of the single executable, which contains Node.js and all files of the built program. No code is read from
// the disk, so nothing has to be verified before V8 runs the code that the build compiled. Built-in modules that
// `version` does not need are loaded where they are used.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type * as OS from 'node:os';
import { basename, dirname, join } from 'node:path';
import { getAssetKeys, getRawAsset } from 'node:sea';
import type * as VM from 'node:vm';
import { type ScriptName, startProgram } from './start-program.ts';

const directory = dirname(process.execPath);
const assets: ReadonlySet<string> = new Set(getAssetKeys());
const modules = new Map<string, { exports: unknown }>();

/** Set by the build, to verify the compiled code under the options of the executable. */
const mustHaveCode = process.env['TERRANE_CODE_CACHE'] === 'require';

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

function runScript(name: ScriptName): unknown {
  // Some commands have compiled code of their own, which is smaller than that of all commands.
  const own = `${name}-${process.argv[2] ?? ''}.cache`;
  const cache = assets.has(own) ? own : `${name}.cache`;
  const script = compile(asset(`${name}.cjs`).toString('latin1'), {
    filename: join(directory, `${name}.cjs`),
    // An executable that was built on another platform has no compiled code.
    ...(assets.has(cache) ? { cachedData: compiledCode(cache) } : {}),
  });
  if (mustHaveCode && script.cachedDataRejected !== false) throw new Error(`V8 rejects ${cache}`);
  return script.runInThisContext();
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
  if (assets.has(name)) return bundledModule(name);
  const builtIn: unknown = process.getBuiltinModule(specifier);
  if (builtIn !== undefined) return builtIn;
  throw Object.assign(new Error(`Cannot find module '${specifier}'`), { code: 'MODULE_NOT_FOUND' });
}

function bundledModule(name: string): unknown {
  const existing = modules.get(name);
  if (existing !== undefined) return existing.exports;
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
