import { join } from 'node:path';
import type { Host } from '@terrane/host';

/** Options of building an executable that contains Node. */
export interface SingleOptions extends Pick<Host, 'files' | 'spawn'> {
  /** the Node program that prepares it; its version has to be that of `target` */
  readonly node: string;
  /** the Node program for the platform; undefined: `node` */
  readonly target: string | undefined;
  /** the working directory */
  readonly directory: string;
}

/** Marks the position of the application in a Node executable. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/**
 * Creates an executable from a program and Node, with Node's single executable support and `postject`, which the
 * author's project must have installed.
 *
 * @throws Error with the output of the failed step
 */
export async function singleExecutable(
  program: string,
  platform: string,
  { files, spawn, node, target = node, directory }: SingleOptions,
): Promise<Uint8Array> {
  await files.makeDirectory(directory);
  const main = join(directory, 'main.cjs');
  const blob = join(directory, 'program.blob');
  const config = join(directory, 'sea-config.json');
  const executable = join(directory, platform.startsWith('windows_') ? 'program.exe' : 'program');
  await files.writeFile(main, program);
  const settings = {
    main,
    output: blob,
    disableExperimentalSEAWarning: true,
    // Either would bind the result to the build machine.
    useSnapshot: false,
    useCodeCache: false,
  };
  await files.writeFile(config, JSON.stringify(settings));
  await run(spawn, node, ['--experimental-sea-config', config], 'Node cannot prepare the program');
  await files.writeFile(executable, await files.readFile(target));
  await files.chmod(executable, 0o755);
  const args = [
    '--no',
    '--',
    'postject',
    executable,
    'NODE_SEA_BLOB',
    blob,
    '--sentinel-fuse',
    FUSE,
  ];
  if (platform.startsWith('darwin_')) args.push('--macho-segment-name', 'NODE_SEA');
  await run(
    spawn,
    'npx',
    args,
    'postject cannot put the program into Node (it has to be a dependency of your project: `npm install --save-dev postject`)',
  );
  return await files.readFile(executable);
}

async function run(
  spawn: Host['spawn'],
  command: string,
  args: readonly string[],
  problem: string,
): Promise<void> {
  const { code, stdout, stderr } = await spawn.run(command, args, {});
  if (code !== 0) throw new Error(`${problem}: ${(stderr + stdout).trim()}`);
}
