import type { Command } from '../../command.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { APPLY_FLAGS } from '../apply/flags.ts';

/** `terrane destroy` */
export const command: Command = {
  name: 'destroy',
  summary: 'Destroy previously-created infrastructure',
  flags: APPLY_FLAGS,
  help: `
Usage: terrane [global options] destroy [options]

  Destroys all objects in the state.

  This command is short for:
      terrane apply -destroy

  It accepts most of the options of the plan command as well. To see them, run:
      terrane plan -help
`,
  async run(args, context) {
    const parsed = parseFlags(APPLY_FLAGS, args);
    return await (await import('../apply/run.ts')).runApply(parsed, context, true);
  },
};
