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

  Validates the configuration in this directory, without reading a state,
  values of variables or remote objects.

  It reports errors that do not depend on the values of variables: syntax
  errors, undeclared names, unsupported arguments and values of the wrong
  type. It is safe to run at any time, for example whenever an editor saves a
  file.

  To check a configuration with the values of a particular run, use the
  'terrane plan' command, which includes these checks.

Options:

  -json                 Print the result as JSON, for editors and other
                        programs. Never with colors.

  -json-into=path       Write the output of -json to this file or pipe, in
                        addition to the usual output.

  -no-color             Print without colors.

  -no-tests             Don't validate test files.

  -query                Validate query files (.tfquery.hcl) too.

  -test-directory=path  The directory of test files; "tests" by default.

  -var 'foo=bar'        A value for a variable, which is used only for sources
                        of modules and other early values; -var-file=filename
                        likewise.
`,
  async run(args, context) {
    const parsed = parseFlags(VALIDATE_FLAGS, args);
    return await (await import('./run.ts')).runValidate(parsed, context);
  },
};
