import type { Command } from '../../command.ts';
import { SETTINGS_VARIABLES_HELP } from '../../flags/option-help.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { OUTPUT_FLAGS } from './flags.ts';

/** `terrane output` */
export const command: Command = {
  name: 'output',
  summary: 'Show output values from your root module',
  flags: OUTPUT_FLAGS,
  help: `
Usage: terrane [global options] output [options] [NAME]

  Prints the value that the state holds for an output of the root module, or
  all of them if no name is given.

Options:

  -state=path      The state to read; "terraform.tfstate" by default.

  -no-color        Print without colors.

  -redacted        With -json, replace sensitive values by the text
                   "(sensitive value)".

  -json            Print as JSON.

  -json-into=path  Write what -json prints into this file or pipe, besides
                   what people are shown.

  -raw             Print a string, number or boolean by itself, as scripts
                   like it.

  -show-sensitive  Show sensitive values too.

${SETTINGS_VARIABLES_HELP}`,
  async run(args, context) {
    const parsed = parseFlags(OUTPUT_FLAGS, args);
    return await (await import('./run.ts')).runOutput(parsed, context);
  },
};
