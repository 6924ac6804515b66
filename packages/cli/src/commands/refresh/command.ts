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

  Reads all objects in the state and records their current values. The objects
  are not changed.

  It changes the state without a prompt, so values that you still need may be
  lost: prefer "terrane apply -refresh-only", which prompts before it changes
  the state.

Options:

  -compact-warnings    Show only the summaries of warnings, unless there are
                       errors too.

  -concise             Don't print the progress of operations.

  -exclude=resource    Exclude this module, resource or instance, and its
                       dependents, from the refresh. Cannot be combined with
                       -target.

  -exclude-file=file   Exclude all addresses in this file, one per line. Lines
                       that start with "#" are comments.

  -input=true          Prompt for variables without a value.

  -json                Print one JSON object a line, for programs.

  -json-into=path      Write the output of -json to this file or pipe, in
                       addition to the usual output.

  -lock=false          Don't lock the state.

  -lock-timeout=0s     The time to wait for a lock that another user holds.

  -no-color            Print without colors.

  -parallelism=n       The limit of concurrent operations; 10 by
                       default.

  -target=resource     Only refresh this module, resource or instance, and its
                       dependencies. May be given more than once.

  -target-file=file    Target all addresses in this file, which has the format
                       of -exclude-file.

  -var 'foo=bar'       A value for a variable of the root module. May be given
                       more than once.

  -var-file=filename   A file with values for variables. May be given more than
                       once.

  -show-sensitive      Show sensitive values of outputs too.

  -state, -state-out and -backup name the files of the local backend.
`,
  async run(args, context) {
    const parsed = parseFlags(REFRESH_FLAGS, args);
    return await (await import('./run.ts')).runRefresh(parsed, context);
  },
};
