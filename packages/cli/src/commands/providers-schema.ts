import { programCommand } from '@terrane/host';
import { VARIABLE_FLAGS, type VariableValues } from '../arguments.ts';
import type { Command } from '../command.ts';
import { bool } from '../flags/flag.ts';
import { SETTINGS_VARIABLES_HELP } from '../flags/option-help.ts';
import { parseFlags, type FlagTable } from '../flags/parse-flags.ts';

const FLAGS: FlagTable<VariableValues & { readonly json: boolean }> = {
  ...VARIABLE_FLAGS,
  json: bool(false),
};

/** `terrane providers schema` */
export const command: Command = {
  name: 'providers schema',
  summary: 'Show schemas for the providers used in the configuration',
  flags: FLAGS,
  help: `
Usage: terrane [global options] providers schema -json

  Prints the schemas of all providers that the configuration and the state
  need, as JSON.

Options:

${SETTINGS_VARIABLES_HELP}`,
  async run(args, context) {
    const { values, given, error } = parseFlags(FLAGS, args);
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
    const { runProvidersSchema } = await import('../runs/run-providers-schema.ts');
    return await runProvidersSchema(given, context);
  },
};
