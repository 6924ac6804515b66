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

  Marks a resource instance as damaged, so that the next plan replaces it.
  Nothing but the state is changed. "terrane untaint" takes the mark away.

  To replace an instance once, "terrane apply -replace" is the better way: it
  shows what will happen first.

Options:

  -allow-missing      Succeed also where there is no such instance.

  -dry-run            Only tell whether it would be done.

${LOCK_HELP}
  -state, -state-out and -backup name the files of the local backend.

${JSON_HELP}
${SETTINGS_VARIABLES_HELP}`,
  async run(args, context) {
    const parsed = parseFlags(TAINT_FLAGS, args);
    return await (await import('./run.ts')).runTaint('taint', parsed, context);
  },
};
