import type { Command } from '../../command.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { UNDO_FLAGS } from './flags.ts';

/** `terrane undo` */
export const command: Command = {
  name: 'undo',
  summary: 'Plan the way back to what there was before a run',
  flags: UNDO_FLAGS,
  help: `
Usage: terrane [global options] undo [options] [RUN]

  Makes a plan that leads from what exists now to the configuration and the
  variables from before a run: the last one that changed objects, or that with
  this ID, together with all runs after it. "terrane history" lists the runs.

  The plan is shown, with what it restores and what it does not, and nothing
  happens before you approve it. With -out it is saved instead, and "terrane
  apply" applies it. There is no option to apply it without a look at it.

  Each action is reversible, which means that the object will be as it was
  before the run; or lossy, because it destroys something that existed or
  makes another object in its place; or impossible. Lossy actions are refused
  unless each is named. Changes that others have made since are listed.

Options:

  -allow-lossy=ADDRESS   Accept the lossy action for this instance. May be
                         given more than once.

  -out=path              Save the plan under this name instead of asking. The
                         file may hold secrets; only its owner can read it.

  -plan-only             Only show the plan.

  -exclude=resource      Leave this module, resource or instance as it is, and
                         what builds on it. May be given more than once.

  -target=resource       Only undo this module, resource or instance, and what
                         it depends on. May be given more than once.

  -input=true            Ask for ephemeral variables, which no history keeps.

  -json                  Print one JSON object a line, for programs; nothing
                         is applied.

  -json-into=path        Write what -json prints into this file or pipe,
                         besides what people are shown.

  -show-sensitive        Show sensitive values too.

  -summary               Show in short what is planned.

  -var 'foo=bar'         A value for a variable instead of the recorded one.
                         May be given more than once.

  -var-file=filename     A file with such values.

  This command also knows -allow-deferral, -exclude-file, -minimal-refresh,
  -parallelism, -refresh and -target-file of "terrane plan", and -backup,
  -lock, -lock-timeout, -state and -state-out of "terrane apply".
`,
  async run(args, context) {
    const parsed = parseFlags(UNDO_FLAGS, args);
    return await (await import('./run.ts')).runUndo(parsed, context);
  },
};
