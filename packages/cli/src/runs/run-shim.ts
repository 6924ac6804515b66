import { dirname, join, resolve } from 'node:path';
import type { CommandContext } from '../command.ts';
import type { ParsedFlags } from '../flags/parse-flags.ts';
import { View } from '../views/view.ts';
import { projectOf } from './project-of.ts';

/** Tells files of ours from programs that somebody else put there. */
const MARK = 'Written by `terrane shim`';

/** Writes a program named `terraform` that runs this one. */
export async function runShim(
  { rest, error }: ParsedFlags<unknown>,
  context: CommandContext,
): Promise<number> {
  const view = new View(context);
  const [given, ...more] = rest;
  if (error !== undefined || given === undefined || more.length > 0) {
    view.complain(error ?? 'The shim command expects one argument: the directory to write to.');
    view.helpPrompt('shim');
    return 1;
  }
  const { start } = context.world;
  if (start === undefined) {
    view.complain('Only Terrane as it is built can be run by the name of Terraform.');
    return 1;
  }
  const { host } = projectOf(context);
  const { files } = host;
  const program = join(dirname(start.program), 'terraform.js');
  const isWindows = host.environment.platform === 'win32';
  const path = join(given, isWindows ? 'terraform.cmd' : 'terraform');
  const there = await files.stat(path);
  if (there !== undefined && !(await isOurs(path))) {
    view.complain(
      `${path} is there already, and is none of ours. Give another directory, or remove it first.`,
    );
    return 1;
  }
  const text = isWindows ? commandFile(start.node, program) : shellScript(start.node, program);
  try {
    await files.makeDirectory(given);
    await files.replaceFile(path, text, { mode: 0o755 });
  } catch (error) {
    view.complain(`${path} could not be written: ${error instanceof Error ? error.message : ''}`);
    return 1;
  }
  const full = resolve(context.directory, given);
  view.line(`Wrote ${path}. Programs that run Terraform use it with

    ${isWindows ? `set PATH=${full};%PATH%` : `export PATH=${shellWord(full)}:"$PATH"`}
`);
  return 0;

  async function isOurs(file: string): Promise<boolean> {
    if (there?.kind !== 'file' || there.size > 4096) return false;
    return (await files.readText(file)).includes(MARK);
  }
}

/** Runs the Node that Terrane runs with now, and the one on PATH where that is gone. */
function shellScript(node: string, program: string): string {
  return `#!/bin/sh
# ${MARK}: runs Terrane for programs that call Terraform.
node=${shellWord(node)}
[ -x "$node" ] || node=node
exec "$node" ${shellWord(program)} "$@"
`;
}

function commandFile(node: string, program: string): string {
  return `@rem ${MARK}: runs Terrane for programs that call Terraform.\r\n@"${node}" "${program}" %*\r\n`;
}

function shellWord(text: string): string {
  return /^[\w./=:@+,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
