import { programCommand } from '@terrane/host';
import type { Command } from '../../command.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { METADATA_FUNCTIONS_FLAGS } from './flags.ts';

/** `terrane metadata functions` */
export const command: Command = {
  name: 'metadata functions',
  summary: 'Show signatures and descriptions for the available functions',
  flags: METADATA_FUNCTIONS_FLAGS,
  help: `
Usage: terrane [global options] metadata functions -json

  Prints the signatures of the available functions as JSON.
`,
  async run(args, context) {
    const { values, error } = parseFlags(METADATA_FUNCTIONS_FLAGS, args);
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
    const { runMetadataFunctions } = await import('./run.ts');
    return runMetadataFunctions(context);
  },
};
