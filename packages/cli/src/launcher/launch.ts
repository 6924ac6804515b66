// Entry point of the built program. Loads the program with the code that the build compiled, because compiling
// takes most of the time of a short run. Bundled as CommonJS, which starts faster than a module.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { type ScriptName, startProgram } from './start-program.ts';

/**
 * The compiled code of this build: its Node.js version, and the SHA-256 of each file: of a script, such as "program", and
 * of a script for one command alone, such as "program-plan".
 */
interface CompiledCode {
  readonly runtime: string;
  readonly digests: Readonly<Record<string, string>>;
}

/** Set by the build. */
declare const COMPILED_CODE: CompiledCode;

/** The oldest Node.js that runs the program, such as "22.18". Set by the build. */
declare const OLDEST_NODE: string;

/**
 * Reads the compiled code of a script; undefined if this build has none for the running Node.js, or if the file is not
 * the one that the build wrote. V8 runs compiled code without comparing it with the source text, so it is verified only
 * by the digest in this file. Nothing is written at run time, and no other directory is read.
 */
function compiledCode(script: ScriptName): Buffer | undefined {
  if (process.env['TERRANE_CODE_CACHE'] === 'off') return undefined;
  const runtime = `${process.version}-${process.platform}-${process.arch}`;
  if (COMPILED_CODE.runtime !== runtime) return undefined;
  const own = `${script}-${process.argv[2] ?? ''}`;
  const name = COMPILED_CODE.digests[own] === undefined ? script : own;
  try {
    const data = readFileSync(join(__dirname, `${name}.cache`));
    const digest = createHash('sha256').update(data).digest('hex');
    return digest === COMPILED_CODE.digests[name] ? data : undefined;
  } catch {
    // Missing or unreadable: the script is compiled from its text.
    return undefined;
  }
}

/** Returns the value of a script in this directory: the build converts each to a function expression. */
function runScript(name: ScriptName): unknown {
  const cachedData = compiledCode(name);
  const file = join(__dirname, `${name}.cjs`);
  const script = new Script(readFileSync(file, 'latin1'), {
    filename: file,
    ...(cachedData === undefined ? {} : { cachedData }),
  });
  return script.runInThisContext();
}

/**
 * Loads built-in modules, files beside the program, and packages installed with it. Unlike Node's `require`, never
 * searches `NODE_PATH`, `~/.node_modules` and `~/.node_libraries`: an optional package that is not installed would be
 * loaded from the working directory if one of those variables is relative, or from another user's home directory.
 */
function requireInstalled(name: string): unknown {
  if (isBuiltin(name) || name.startsWith('./')) return require(name);
  for (const directory of module.paths) {
    const path = join(directory, name);
    if (existsSync(path)) return require(path);
  }
  throw Object.assign(new Error(`Cannot find module '${name}'`), { code: 'MODULE_NOT_FOUND' });
}

/** Returns whether the running Node.js can run the program. */
function isSupported(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE.split('.').map(Number);
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}

if (!isSupported()) {
  process.stderr.write(
    `terrane: Node.js ${process.versions.node} is too old. Terrane needs Node.js ${OLDEST_NODE} or later.\n`,
  );
  process.exit(1);
}
startProgram({
  runScript,
  require: requireInstalled,
  filename: __filename,
  directory: __dirname,
});
