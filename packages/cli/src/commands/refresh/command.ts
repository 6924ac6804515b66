import type { Command } from '../../command.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { REFRESH_FLAGS } from './flags.ts';

/** `terrane refresh` */
export const command: Command = {
  name: 'refresh',
  summary: 'Update the state to match remote systems',
  flags: REFRESH_FLAGS,
  help: `
Usage: terrane [global options] refresh [options]

  Looks at everything that the state records and writes what it finds into
  the state. What exists is not changed.

  It does so without showing anything first, and what it loses may be needed:
  prefer "terrane apply -refresh-only", which asks before it changes the
  state.

Options:

  -compact-warnings    Show only the summaries of warnings, unless there are
                       errors too.

  -concise             Say nothing of what is in progress.

  -exclude=resource    Look at everything but this module, resource or
                       instance, and what builds on it. Not together with
                       -target.

  -exclude-file=file   The same for all addresses in this file, one in each
                       line. Lines that begin with "#" are comments.

  -input=true          Ask for variables that have no value.

  -json                Print one JSON object a line, for programs.

  -json-into=path      Write what -json prints into this file or pipe, besides
                       what people are shown.

  -lock=false          Don't lock the state while working.

  -lock-timeout=0s     How long to wait for a lock that another user holds.

  -no-color            Print without colors.

  -parallelism=n       How many operations may run at the same time; 10 by
                       default.

  -target=resource     Only look at this module, resource or instance, and at
                       what it depends on. May be given more than once.

  -target-file=file    The same for all addresses in this file, as in
                       -exclude-file.

  -var 'foo=bar'       A value for a variable of the root module. May be given
                       more than once.

  -var-file=filename   A file with values for variables. May be given more than
                       once.

  -show-sensitive      Show sensitive values of outputs too.

  -state, -state-out and -backup say where the local backend keeps the state.
`,
  async run(args, context) {
    const parsed = parseFlags(REFRESH_FLAGS, args);
    return await (await import('./run.ts')).runRefresh(parsed, context);
  },
};
