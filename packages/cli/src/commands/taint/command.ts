import type { Command } from '../../command.ts';
import { JSON_HELP, LOCK_HELP, SETTINGS_VARIABLES_HELP } from '../../flags/option-help.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { TAINT_FLAGS } from './flags.ts';

/** `terrane taint` */
export const command: Command = {
  name: 'taint',
  summary: 'Mark a resource instance as not fully functional',
  flags: TAINT_FLAGS,
  help: `
Usage: terrane [global options] taint [options] <address>

  Marks a resource instance as tainted, so that the next plan replaces it.
  Nothing but the state is changed. "terrane untaint" removes the mark.

  To replace an instance once, prefer "terrane apply -replace", which shows
  the plan first.

Options:

  -allow-missing      Succeed even if the instance does not exist.

  -dry-run            Only show the result.

${LOCK_HELP}
  -state, -state-out and -backup name the files of the local backend.

${JSON_HELP}
${SETTINGS_VARIABLES_HELP}`,
  async run(args, context) {
    const parsed = parseFlags(TAINT_FLAGS, args);
    return await (await import('./run.ts')).runTaint('taint', parsed, context);
  },
};
