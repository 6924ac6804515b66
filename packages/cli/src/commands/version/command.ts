import type { Command } from '../../command.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { VERSION_FLAGS } from './flags.ts';

/** `terrane version` */
export const command: Command = {
  name: 'version',
  summary: 'Show the current version',
  flags: VERSION_FLAGS,
  help: `
Usage: terrane [global options] version [options]

  Prints the version of Terrane, the version of Terraform that it implements,
  and the provider versions that the lock file selects.

Options:

  -json       Print as JSON.
`,
  async run(args, context) {
    const { values, error } = parseFlags(VERSION_FLAGS, args);
    if (error !== undefined) {
      context.world.stderr.write(`${context.help}Error parsing command-line flags: ${error}\n\n`);
      return 1;
    }
    return (await import('./run.ts')).runVersion(values.json, context);
  },
};
