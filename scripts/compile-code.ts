import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './root.ts';

/** The metadata of compiled code for the launcher: its runtime, and the SHA-256 of each file. */
export interface CompiledCode {
  readonly runtime: string;
  readonly digests: Readonly<Record<'program' | 'seldom', string>>;
}

/** Commands whose code is compiled ahead: each starts with the code of those before it, and adds its own. */
const COMMANDS: readonly (readonly string[])[] = [
  ['init'],
  ['validate'],
  ['plan'],
  ['apply', '-auto-approve'],
  ['output'],
  ['show'],
  ['state', 'list'],
  ['destroy', '-auto-approve'],
];

/**
 * Writes the code that V8 compiles of the scripts in a directory into files beside them (`program.cache`,
 * `seldom.cache`), by running usual commands on an example. Functions that these commands do not call are left out and
 * compiled when they are first called. Throws if a command fails.
 */
export async function compileCode(directory: string): Promise<CompiledCode> {
  const work = await mkdtemp(join(tmpdir(), 'terrane-compile-'));
  try {
    // The program asks for the path of its launcher, which is bundled afterwards, with the digests.
    await writeFile(join(directory, 'terrane.js'), '');
    await cp(join(root, 'examples/quickstart'), work, { recursive: true });
    const { PATH, SystemRoot } = process.env;
    for (const command of COMMANDS) {
      const recorder = join(root, 'scripts/record-code.mjs');
      const { status, stderr } = spawnSync(process.execPath, [recorder, directory, ...command], {
        cwd: work,
        // Nothing of the environment may change what is run, or which flags V8 has.
        env: { PATH, SystemRoot, HOME: work, CHECKPOINT_DISABLE: '1' },
        encoding: 'utf8',
      });
      if (status !== 0) throw new Error(`terrane ${command.join(' ')} failed: ${stderr}`);
    }
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  const digestOf = async (name: string): Promise<string> =>
    createHash('sha256')
      .update(await readFile(join(directory, `${name}.cache`)))
      .digest('hex');
  return {
    runtime: `${process.version}-${process.platform}-${process.arch}`,
    digests: { program: await digestOf('program'), seldom: await digestOf('seldom') },
  };
}
