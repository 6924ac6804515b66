import type { Command } from '../../command.ts';
import { JSON_HELP, LOCK_HELP, SETTINGS_VARIABLES_HELP } from '../../flags/option-help.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { STATE_PUSH_FLAGS } from './flags.ts';

/** `terrane state push` */
export const command: Command = {
  name: 'state push',
  summary: 'Update remote state from a local state file',
  flags: STATE_PUSH_FLAGS,
  help: `
Usage: terrane [global options] state push [options] PATH

  Replaces the state of the selected workspace by that in a file, or in the
  input if PATH is "-". A state that is older than the stored one, or has
  another lineage, is refused.

Options:

  -force              Replace it all the same.

${LOCK_HELP}
${JSON_HELP}
${SETTINGS_VARIABLES_HELP}`,
  async run(args, context) {
    const parsed = parseFlags(STATE_PUSH_FLAGS, args);
    return await (await import('./run.ts')).runStatePush(parsed, context);
  },
};
