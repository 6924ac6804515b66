import { existsSync, writeSync } from 'node:fs';
import { calledAs } from './called-as.ts';
import { namesIn } from './names-in.ts';
import { plainVersion } from './plain-version.ts';

/** A script of the built program: `program` has the modules of usual runs, `seldom` the others. */
export type ScriptName = 'program' | 'seldom';

/** Access to the parts of the built program. */
export interface BuiltProgram {
  /** Returns the value of a script: the build converts each to a function expression. */
  runScript(name: ScriptName): unknown;
  /** Loads built-in modules, library bundles of the program and optional packages. */
  require(name: string): unknown;
  readonly filename: string;
  readonly directory: string;
}

/** Prints the version if the command line requests only that; otherwise loads and runs the program. */
export function startProgram(built: BuiltProgram): void {
  const version = plainVersion(
    process.argv.slice(2),
    {
      environment: process.env,
      kindOf: (path) => (existsSync(path) ? 'other' : undefined),
      namesIn,
      ...calledAs(process.argv),
    },
    process,
  );
  if (version !== undefined && isPrinted(version)) return;
  const program = built.runScript('program');
  if (typeof program === 'function')
    program(built.require, built.filename, built.directory, () => built.runScript('seldom'));
}

/** Prints a text and reports errors, except a closed reader. Returns false if a pipe is full: the program can wait. */
function isPrinted(text: string): boolean {
  try {
    writeSync(1, text);
  } catch (error) {
    // any-error: the launcher has loaded no other code, and only a write can fail.
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EAGAIN') return false;
    process.exitCode = 1;
    if (code === 'EPIPE') return true;
    process.stderr.write(`terrane: ${error instanceof Error ? error.message : String(error)}\n`);
  }
  return true;
}
