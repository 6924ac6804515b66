import { programCommand } from '@terrane/host';
import type { Command } from '../command.ts';
import { bool } from '../flags/flag.ts';
import { parseFlags } from '../flags/parse-flags.ts';

const FLAGS = { json: bool(false) };

/** `terrane metadata functions` */
export const command: Command = {
  name: 'metadata functions',
  summary: 'Show signatures and descriptions for the available functions',
  flags: FLAGS,
  help: `
Usage: terrane [global options] metadata functions -json

  Prints the signatures of the available functions as JSON.
`,
  async run(args, context) {
    const { values, error } = parseFlags(FLAGS, args);
    if (error !== undefined) {
      context.world.stderr.write(`${context.help}Error parsing command-line flags: ${error}\n\n`);
      return 1;
    }
    if (!values.json) {
      context.world.stderr.write(
        `The \`${programCommand('metadata functions')}\` command requires the \`-json\` flag.\n\n${context.help}`,
      );
      return 1;
    }
    const { runMetadataFunctions } = await import('../runs/run-metadata-functions.ts');
    return runMetadataFunctions(context);
  },
};
