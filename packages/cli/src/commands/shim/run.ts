import { userErrorText } from '@terrane/host';
import { dirname, join, resolve } from 'node:path';
import type { CommandContext } from '../../command.ts';
import type { ShimFlags } from './flags.ts';
import { View } from '../../views/view.ts';
import { projectOf } from '../../run/project-of.ts';
import type { World } from '../../world.ts';

type Start = NonNullable<World['start']>;

/** Distinguishes shims from other programs. */
const MARK = 'Written by `terrane shim`';

/** Writes a program named `terraform` or `tofu` that runs this one. */
export async function runShim(
  { rest, values, error }: ShimFlags,
  context: CommandContext,
): Promise<number> {
  const view = new View(context);
  const [directory, ...more] = rest;
  if (error !== undefined || directory === undefined || more.length > 0) {
    view.complain(error ?? 'The shim command expects one argument: the directory to write to.');
    view.helpPrompt('shim');
    return 1;
  }
  const { start } = context.world;
  if (start === undefined) {
    view.complain('Only the built program can be run by another name. Build it first.');
    return 1;
  }
  const { host } = projectOf(context);
  const { files } = host;
  const name = values.tofu ? 'tofu' : 'terraform';
  const title = values.tofu ? 'OpenTofu' : 'Terraform';
  // The program's name is that of its script. A single executable has no script, so the name is passed to it.
  const first =
    start.program === undefined
      ? `--called-as=${name}`
      : join(dirname(start.program), `${name}.js`);
  const isWindows = host.environment.platform === 'win32';
  const path = join(directory, isWindows ? `${name}.cmd` : name);
  const existingFile = await files.stat(path);
  if (existingFile !== undefined && !(await isOurs(path))) {
    view.complain(
      `${path} is there already, and is none of ours. Give another directory, or remove it first.`,
    );
    return 1;
  }
  const text = isWindows ? commandFile(start.node, first, title) : shellScript(start, first, title);
  try {
    await files.makeDirectory(directory);
    await files.replaceFile(path, text, { mode: 0o755 });
  } catch (error) {
    view.complain(`${path} could not be written: ${userErrorText(error)}`);
    return 1;
  }
  const full = resolve(context.directory, directory);
  view.line(`Wrote ${path}. Programs that run ${title} use it with

    ${isWindows ? `set PATH=${full};%PATH%` : `export PATH=${shellWord(full)}:"$PATH"`}
`);
  return 0;

  async function isOurs(file: string): Promise<boolean> {
    if (existingFile?.kind !== 'file' || existingFile.size > 4096) return false;
    return (await files.readText(file)).includes(MARK);
  }
}

/** Returns a script that runs the Node of this process or, if that is removed, the one on PATH. */
function shellScript({ node, program }: Start, first: string, title: string): string {
  const fallback = program === undefined ? '' : '[ -x "$node" ] || node=node\n';
  return `#!/bin/sh
# ${MARK}: runs Terrane for programs that call ${title}.
node=${shellWord(node)}
${fallback}exec "$node" ${shellWord(first)} "$@"
`;
}

function commandFile(node: string, first: string, title: string): string {
  return `@rem ${MARK}: runs Terrane for programs that call ${title}.\r\n@"${node}" "${first}" %*\r\n`;
}

function shellWord(text: string): string {
  return /^[\w./=:@+,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
