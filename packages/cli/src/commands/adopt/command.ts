import type { Command } from '../../command.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { ADOPT_FLAGS } from './flags.ts';

/** `terrane adopt` */
export const command: Command = {
  name: 'adopt',
  summary: 'Write configuration that imports existing objects',
  flags: ADOPT_FLAGS,
  help: `
Usage: terrane [global options] adopt [options]

  Lists existing objects by the "list" blocks of the query files, as "query"
  does, and writes configuration for those that the state does not have: a
  file for each resource type, with references in place of the ids of other
  objects, and import blocks. A plan that only imports proves it before
  anything is written.

Options:

  -for-each           Write similar objects as instances of one resource
                      with for_each.

  -input=true         Prompt for variables without a value.

  -json               Print one JSON document instead of text.

  -no-color           Print without colors.

  -parallelism=n      The limit of concurrent operations; 10 by
                      default.

  -var 'foo=bar'      Set a variable of the root module; -var-file=filename
                      likewise. May be given more than once.

  -write              Write the files. Without it they are only shown.
`,
  async run(args, context) {
    const parsed = parseFlags(ADOPT_FLAGS, args);
    return await (await import('./run.ts')).runAdopt(parsed, context);
  },
};
