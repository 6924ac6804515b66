import type { Command } from '../../command.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { SHIM_FLAGS } from './flags.ts';

/** `terrane shim` */
export const command: Command = {
  name: 'shim',
  summary: 'Have programs that run Terraform run Terrane',
  flags: SHIM_FLAGS,
  help: `
Usage: terrane [global options] shim [options] DIR

  Writes a program named "terraform" into a directory. It is Terrane, and
  calls itself Terraform where programs look for that. Those that run
  Terraform use it if the directory stands first in PATH, or if they are given
  its path. Delete the file to be rid of it.

Options:

  -tofu    Name the program "tofu", for programs that run OpenTofu.
`,
  async run(args, context) {
    const parsed = parseFlags(SHIM_FLAGS, args);
    return await (await import('./run.ts')).runShim(parsed, context);
  },
};
