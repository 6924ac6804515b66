import type { Command } from '../command.ts';
import { bool } from '../flags/flag.ts';
import { parseFlags, type FlagTable, type ParsedFlags } from '../flags/parse-flags.ts';

/** Options of `shim`. */
export interface ShimValues {
  readonly tofu: boolean;
}

const FLAGS: FlagTable<ShimValues> = { tofu: bool(false) };

/** Parsed command line of `shim`. */
export type ShimFlags = ParsedFlags<ShimValues>;

/** `terrane shim` */
export const command: Command = {
  name: 'shim',
  summary: 'Have programs that run Terraform run Terrane',
  flags: FLAGS,
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
    const parsed = parseFlags(FLAGS, args);
    return await (await import('../runs/run-shim.ts')).runShim(parsed, context);
  },
};
