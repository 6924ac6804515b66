import type { Command } from '../command.ts';
import { parseFlags } from '../flags/parse-flags.ts';

/** `terrane shim` */
export const command: Command = {
  name: 'shim',
  summary: 'Have programs that run Terraform run Terrane',
  flags: {},
  help: `
Usage: terrane [global options] shim DIR

  Writes a program named "terraform" into a directory. It is Terrane, and
  calls itself Terraform where programs look for that. Those that run
  Terraform use it if the directory stands first in PATH, or if they are given
  its path. Delete the file to be rid of it.
`,
  async run(args, context) {
    const parsed = parseFlags({}, args);
    return await (await import('../runs/run-shim.ts')).runShim(parsed, context);
  },
};
