import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './root.ts';

/** The metadata of compiled code for the launcher: its runtime, and the SHA-256 of each file. */
export interface CompiledCode {
  readonly runtime: string;
  readonly digests: Readonly<Record<string, string>>;
}

/**
 * Commands that start with compiled code of their own: only the functions that they call, which V8 reads sooner than
 * those of all commands together. They must not change anything.
 */
export const COMMANDS_WITH_CODE: readonly string[] = ['fmt', 'plan', 'validate'];

/** Commands whose code is compiled ahead: each starts with the code of those before it, and adds its own. */
const COMMANDS: readonly (readonly string[])[] = [
  ['init'],
  ['validate'],
  ['fmt', '-check'],
  ['plan'],
  ['apply', '-auto-approve'],
  // Of objects that exist.
  ['plan'],
  ['output'],
  ['show'],
  ['state', 'list'],
  ['destroy', '-auto-approve'],
];

/**
 * V8 options that make recorded code the same in every build. Otherwise it depends on the random seed of string hashes,
 * on background threads, on functions that the garbage collector removed or the optimizer marked, and on bytes that the
 * collector left between objects, which a heap that is never collected does not have.
 */
const DETERMINISTIC: readonly string[] = [
  '--hash-seed=1',
  '--single-threaded',
  '--no-flush-bytecode',
  '--no-sparkplug',
  '--no-maglev',
  '--no-opt',
  '--min-semi-space-size=256',
  '--initial-heap-size=1500',
  '--initial-old-space-size=1500',
];

/** Has glibc clear the memory that it allocates: V8 copies padding bytes from it. */
const CLEARED_MEMORY = 'glibc.malloc.perturb=255:glibc.malloc.tcache_count=0';

/**
 * Writes a copy of compiled code that V8 accepts under some options, which must not change the code that V8 generates.
 * The source is beside the code. Throws if V8 rejects the copy.
 */
export function adaptCode(code: string, options: readonly string[], output: string): void {
  const source = code.replace(/(?:-\w+)?\.cache$/, '.cjs');
  const adapt = join(root, 'scripts/adapt-code.mjs');
  const { status, stderr } = spawnSync(
    process.execPath,
    [...options, adapt, source, code, output],
    { env: { SystemRoot: process.env['SystemRoot'] }, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`the code of ${source} is not compiled: ${stderr}`);
}

/** Returns the header of code that V8 compiles under some options. */
export function codeHeader(options: readonly string[]): Buffer {
  const script = `new (require('node:vm').Script)('0').createCachedData().toString('hex', 0, 16)`;
  const env = { SystemRoot: process.env['SystemRoot'] };
  const hex = execFileSync(process.execPath, [...options, '-p', script], { env, encoding: 'utf8' });
  return Buffer.from(hex.trim(), 'hex');
}

/**
 * Writes the code that V8 compiles of the scripts in a directory into files beside them (`program.cache`,
 * `seldom.cache`, and `program-COMMAND.cache` for some commands alone), by running usual commands on an example.
 * Functions that these commands do not call are left out and compiled when they are first called. The same scripts
 * yield the same files. Throws if a command fails.
 */
export async function compileCode(directory: string): Promise<CompiledCode> {
  const work = await mkdtemp(join(tmpdir(), 'terrane-compile-'));
  try {
    // The program asks for the path of its launcher, which is bundled afterwards, with the digests.
    await writeFile(join(directory, 'terrane.js'), '');
    await cp(join(root, 'examples/quickstart'), work, { recursive: true });
    const { PATH, SystemRoot } = process.env;
    // Each command records for all commands, and some once more for themselves.
    const recordings = COMMANDS.flatMap((command) => {
      const [word = ''] = command;
      const own = COMMANDS_WITH_CODE.includes(word) ? [`program-${word}`] : [];
      return ['program', ...own].map((name) => ({ name, command }));
    });
    for (const { name, command } of recordings) {
      const recorder = join(root, 'scripts/record-code.mjs');
      const { status, stderr } = spawnSync(
        process.execPath,
        [...DETERMINISTIC, recorder, directory, name, ...command],
        {
          cwd: work,
          // Nothing of the environment may change what is run, or which flags V8 has.
          env: {
            PATH,
            SystemRoot,
            HOME: work,
            CHECKPOINT_DISABLE: '1',
            GLIBC_TUNABLES: CLEARED_MEMORY,
          },
          encoding: 'utf8',
        },
      );
      if (status !== 0) throw new Error(`terrane ${command.join(' ')} failed: ${stderr}`);
    }
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  const digests: Record<string, string> = {};
  for (const name of [
    'program',
    ...COMMANDS_WITH_CODE.map((word) => `program-${word}`),
    'seldom',
  ]) {
    const code = join(directory, `${name}.cache`);
    adaptCode(code, [], code);
    digests[name] = createHash('sha256')
      .update(await readFile(code))
      .digest('hex');
  }
  return { runtime: `${process.version}-${process.platform}-${process.arch}`, digests };
}
