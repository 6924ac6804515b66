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

  Writes a program named "terraform" into a directory. It runs Terrane, with
  Terraform's name in output that programs read. Programs that run Terraform
  use it if the directory is first in PATH, or if they are configured with its
  path. To remove it, delete the file.

Options:

  -tofu    Name the program "tofu", for programs that run OpenTofu.
`,
  async run(args, context) {
    const parsed = parseFlags(SHIM_FLAGS, args);
    return await (await import('./run.ts')).runShim(parsed, context);
  },
};
