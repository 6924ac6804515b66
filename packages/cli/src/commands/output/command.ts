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

  Prints the value of an output of the root module from the state, or all
  outputs without a name.

Options:

  -state=path      The state to read; "terraform.tfstate" by default.

  -no-color        Print without colors.

  -redacted        With -json, replace sensitive values with the text
                   "(sensitive value)".

  -json            Print as JSON.

  -json-into=path  Write the output of -json to this file or pipe, in
                   addition to the usual output.

  -raw             Print a string, number or boolean without quotes, for
                   scripts.

  -show-sensitive  Show sensitive values too.

${SETTINGS_VARIABLES_HELP}`,
  async run(args, context) {
    const parsed = parseFlags(OUTPUT_FLAGS, args);
    return await (await import('./run.ts')).runOutput(parsed, context);
  },
};
