import { programCommand } from '@terrane/host';
import type { Command } from '../../command.ts';
import { SETTINGS_VARIABLES_HELP } from '../../flags/option-help.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { PROVIDERS_SCHEMA_FLAGS } from './flags.ts';

/** `terrane providers schema` */
export const command: Command = {
  name: 'providers schema',
  summary: 'Show schemas for the providers used in the configuration',
  flags: PROVIDERS_SCHEMA_FLAGS,
  help: `
Usage: terrane [global options] providers schema -json

  Prints the schemas of all providers that the configuration and the state
  need, as JSON.

Options:

${SETTINGS_VARIABLES_HELP}`,
  async run(args, context) {
    const { values, occurrences, error } = parseFlags(PROVIDERS_SCHEMA_FLAGS, args);
    if (error !== undefined) {
      context.world.stderr.write(`${context.help}Error parsing command-line flags: ${error}\n\n`);
      return 1;
    }
    if (!values.json) {
      context.world.stderr.write(
        `The \`${programCommand('providers schema')}\` command requires the \`-json\` flag.\n\n${context.help}`,
      );
      return 1;
    }
    const { runProvidersSchema } = await import('./run.ts');
    return await runProvidersSchema(occurrences, context);
  },
};
