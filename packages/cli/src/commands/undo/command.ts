import type { Command } from '../../command.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { UNDO_FLAGS } from './flags.ts';

/** `terrane undo` */
export const command: Command = {
  name: 'undo',
  summary: 'Plan the undo of a run',
  flags: UNDO_FLAGS,
  help: `
Usage: terrane [global options] undo [options] [RUN]

  Plans a return to the configuration and the variables from before a run: the
  last run that changed objects, or the run with this ID, together with all
  runs after it. "terrane history" lists the runs.

  The plan is shown with the objects that it restores and those that it cannot
  restore, and applied after your approval. With -out it is saved instead, and
  "terrane apply" applies it. No option skips the approval.

  Each action is reversible, which restores the object from before the run; or
  lossy, because it destroys or replaces an object that existed before; or
  impossible. Lossy actions are rejected unless each is named. Changes of other
  runs since then are listed.

Options:

  -allow-lossy=ADDRESS   Accept the lossy action for this instance. May be
                         given more than once.

  -out=path              Save the plan to this file instead of prompting. It
                         may contain secrets; only its owner can read it.

  -plan-only             Only show the plan.

  -exclude=resource      Exclude this module, resource or instance, and its
                         dependents. May be given more than once.

  -target=resource       Only undo this module, resource or instance, and its
                         dependencies. May be given more than once.

  -input=true            Prompt for ephemeral variables, which are not recorded.

  -json                  Print one JSON object a line, for programs; nothing
                         is applied.

  -json-into=path        Write the output of -json to this file or pipe, in
                         addition to the usual output.

  -show-sensitive        Show sensitive values too.

  -summary               Show a summary of the plan.

  -var 'foo=bar'         A value for a variable instead of the recorded one.
                         May be given more than once.

  -var-file=filename     A file with such values.

  This command also accepts -allow-deferral, -exclude-file, -minimal-refresh,
  -parallelism, -refresh and -target-file of "terrane plan", and -backup,
  -lock, -lock-timeout, -state and -state-out of "terrane apply".
`,
  async run(args, context) {
    const parsed = parseFlags(UNDO_FLAGS, args);
    return await (await import('./run.ts')).runUndo(parsed, context);
  },
};
