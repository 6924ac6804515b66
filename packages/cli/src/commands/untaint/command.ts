import type { Command } from '../../command.ts';
import { JSON_HELP, LOCK_HELP, SETTINGS_VARIABLES_HELP } from '../../flags/option-help.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { TAINT_FLAGS } from '../taint/flags.ts';

/** `terrane untaint` */
export const command: Command = {
  name: 'untaint',
  summary: "Remove the 'tainted' state from a resource instance",
  flags: TAINT_FLAGS,
  help: `
Usage: terrane [global options] untaint [options] <address>

  Removes the tainted mark of a resource instance, which makes the next plan
  replace it. "terrane taint" or a failed creation has set it.
  Nothing but the state is changed.

Options:

  -allow-missing      Succeed even if the instance does not exist.

  -dry-run            Only show the result.

${LOCK_HELP}
  -state, -state-out and -backup name the files of the local backend.

${JSON_HELP}
${SETTINGS_VARIABLES_HELP}`,
  async run(args, context) {
    const parsed = parseFlags(TAINT_FLAGS, args);
    return await (await import('../taint/run.ts')).runTaint('untaint', parsed, context);
  },
};
