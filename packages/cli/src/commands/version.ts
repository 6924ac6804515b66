import type { Command } from '../command.ts';
import { bool } from '../flags/flag.ts';
import { parseFlags } from '../flags/parse-flags.ts';

// Wherever -version stands it leads here, with everything else on the command line.
const FLAGS = { json: bool(false), v: bool(true), version: bool(true) };

/** `terrane version` */
export const command: Command = {
  name: 'version',
  summary: 'Show the current version',
  flags: FLAGS,
  help: `
Usage: terrane [global options] version [options]

  Tells the version of Terrane, the version of Terraform that it behaves as,
  and the versions of providers that the lock file selects.

Options:

  -json       Print as JSON.
`,
  async run(args, context) {
    const { values, error } = parseFlags(FLAGS, args);
    if (error !== undefined) {
      context.world.stderr.write(`${context.help}Error parsing command-line flags: ${error}\n\n`);
      return 1;
    }
    return (await import('../runs/run-version.ts')).runVersion(values.json, context);
  },
};
