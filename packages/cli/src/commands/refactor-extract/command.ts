import type { Command } from '../../command.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { REFACTOR_EXTRACT_FLAGS } from './flags.ts';

/** `terrane refactor extract` */
export const command: Command = {
  name: 'refactor extract',
  summary: 'Extract resources into a module',
  flags: REFACTOR_EXTRACT_FLAGS,
  help: `
Usage: terrane [global options] refactor extract [options] -to=DIR ADDRESS...

  Moves the blocks of resources and data sources of the root module into a
  new module: writes the module with the variables and outputs that it
  needs, the call, and "moved" blocks. A plan that changes nothing proves it
  before anything is written.

Options:

  -input=true         Prompt for variables without a value.

  -json               Print one JSON document instead of text.

  -name=NAME          The name of the module call; the last part of DIR by
                      default.

  -no-color           Print without colors.

  -parallelism=n      The limit of concurrent operations; 10 by
                      default.

  -to=DIR             The directory of the new module, such as
                      "modules/network".

  -var 'foo=bar'      Set a variable of the root module; -var-file=filename
                      likewise. May be given more than once.

  -write              Write the files. Without it they are only shown.
`,
  async run(args, context) {
    const parsed = parseFlags(REFACTOR_EXTRACT_FLAGS, args);
    return await (await import('./run.ts')).runRefactorExtract(parsed, context);
  },
};
