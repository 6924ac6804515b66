import type { Command } from '../../command.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { VALIDATE_FLAGS } from './flags.ts';

/** `terrane validate` */
export const command: Command = {
  name: 'validate',
  summary: 'Check whether the configuration is valid',
  flags: VALIDATE_FLAGS,
  help: `
Usage: terrane [global options] validate [options]

  Checks the configuration in this directory by itself, without looking at
  any state, at values for its variables or at anything outside.

  What it finds is wrong whatever the variables are: faults of syntax, names
  that are declared nowhere, arguments that a resource does not have, values
  of the wrong type. It is safe to run at any time, for example whenever an
  editor saves a file.

  To check a configuration with the values of a particular run, use the
  'terrane plan' command, which includes these checks.

Options:

  -json                 Print the result as JSON, for editors and other
                        programs. Never with colors.

  -json-into=path       Write what -json prints into this file or pipe, besides
                        what people are shown.

  -no-color             Print without colors.

  -no-tests             Leave test files alone.

  -query                Check the query files (.tfquery.hcl) too.

  -test-directory=path  Where the test files are; "tests" by default.

  -var 'foo=bar'        Give a value to a variable. Only sources of modules and
                        the like are worked out with it; -var-file=filename
                        likewise.
`,
  async run(args, context) {
    const parsed = parseFlags(VALIDATE_FLAGS, args);
    return await (await import('./run.ts')).runValidate(parsed, context);
  },
};
