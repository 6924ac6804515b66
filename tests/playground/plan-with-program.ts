import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../../scripts/root.ts';
import { EXAMPLE_VARIABLES, type Example } from './examples.ts';

/** Exit code and output of `plan` with the built program, in a directory of its own below `work`. */
export function planWithProgram(
  work: string,
  name: string,
  files: Example['files'],
): { readonly code: number | null; readonly stdout: string; readonly stderr: string } {
  // The directory has the name of the browser's, in case it is part of a value.
  const directory = join(work, name.replaceAll(/\W+/g, '-'), 'project');
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  const program = (...args: readonly string[]): SpawnSyncReturns<string> =>
    spawnSync(join(root, 'bin/terrane'), args, {
      cwd: directory,
      env: { PATH: process.env['PATH'], HOME: work, ...EXAMPLE_VARIABLES },
      encoding: 'utf8',
    });
  program('init');
  const { status, stdout, stderr } = program('plan', '-input=false', '-no-color', '-parallelism=1');
  return { code: status, stdout, stderr };
}
