import type { Command } from '../../command.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { REFACTOR_SPLIT_FLAGS } from './flags.ts';

/** `terrane refactor split` */
export const command: Command = {
  name: 'refactor split',
  summary: 'Split resources and modules off into a state of their own',
  flags: REFACTOR_SPLIT_FLAGS,
  help: `
Usage: terrane [global options] refactor split [options] -to=DIR ADDRESS...

  Splits the state in two: the resources and module calls with these
  addresses move to a new root module in DIR, with the configuration that
  they need. Values that one side needs of the other become variables. Plans
  of both sides that change nothing prove it before anything is written.

Options:

  -input=true         Prompt for variables without a value.

  -json               Print one JSON document instead of text.

  -no-color           Print without colors.

  -parallelism=n      The limit of concurrent operations; 10 by
                      default.

  -to=DIR             The directory of the new root module. It must be empty
                      or not exist. Its state is stored there.

  -var 'foo=bar'      Set a variable of the root module; -var-file=filename
                      likewise. May be given more than once.

  -write              Write the files and both states. Without it they are
                      only shown.
`,
  async run(args, context) {
    const parsed = parseFlags(REFACTOR_SPLIT_FLAGS, args);
    return await (await import('./run.ts')).runRefactorSplit(parsed, context);
  },
};
