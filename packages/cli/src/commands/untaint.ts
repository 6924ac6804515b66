import type { Command } from '../command.ts';
import { parseFlags } from '../flags/parse-flags.ts';
import { TAINT_FLAGS } from './taint.ts';

/** `terrane untaint` */
export const command: Command = {
  name: 'untaint',
  summary: "Remove the 'tainted' state from a resource instance",
  flags: TAINT_FLAGS,
  help: `
Usage: terrane [global options] untaint [options] <address>

  Takes the mark away that makes the next plan replace a resource instance,
  whether "terrane taint" has set it or a creation that failed half-way.
  Nothing but the state is changed.

Options:

  -allow-missing      Succeed also where there is no such instance.

  -dry-run            Only tell whether it would be done.

  -lock=false         Don't lock the state while working. This is dangerous if
                      others might run commands for the same workspace at the
                      same time.

  -lock-timeout=0s    How long to wait for a lock that somebody else holds.

  -state, -state-out and -backup name the files of the local backend.

  -json               Print one JSON object a line, for programs.

  -json-into=path     Write what -json prints into this file or pipe, besides
                      what people are shown.

  -var 'foo=bar'      Give a value to a variable. Only where the state is kept
                      and the like are worked out with it; -var-file=filename
                      likewise.
`,
  async run(args, context) {
    const parsed = parseFlags(TAINT_FLAGS, args);
    return await (await import('../runs/run-state.ts')).runTaint('untaint', parsed, context);
  },
};
