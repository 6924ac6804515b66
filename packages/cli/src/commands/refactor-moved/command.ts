import type { Command } from '../../command.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { REFACTOR_MOVED_FLAGS } from './flags.ts';

/** `terrane refactor moved` */
export const command: Command = {
  name: 'refactor moved',
  summary: 'Propose moved blocks for objects that a plan would recreate',
  flags: REFACTOR_MOVED_FLAGS,
  help: `
Usage: terrane [global options] refactor moved [options]

  Makes a plan, and proposes a "moved" block for each object that the plan
  would delete under one address and create under another one with the same
  values. A second plan verifies the blocks.

Options:

  -input=true         Prompt for variables without a value.

  -json               Print one JSON document instead of text.

  -no-color           Print without colors.

  -parallelism=n      The limit of concurrent operations; 10 by
                      default.

  -var 'foo=bar'      Set a variable of the root module; -var-file=filename
                      likewise. May be given more than once.

  -write              Add the blocks to moved.tf.
`,
  async run(args, context) {
    const parsed = parseFlags(REFACTOR_MOVED_FLAGS, args);
    return await (await import('./run.ts')).runRefactorMoved(parsed, context);
  },
};
