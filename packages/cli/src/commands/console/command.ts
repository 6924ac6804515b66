import type { Command } from '../../command.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { CONSOLE_FLAGS } from './flags.ts';

/** `terrane console` */
export const command: Command = {
  name: 'console',
  summary: 'Try expressions at an interactive command prompt',
  flags: CONSOLE_FLAGS,
  help: `
Usage: terrane [global options] console [options]

  Evaluates expressions as they may be written in the configuration, with the
  values that the state holds. When the input is no terminal, every line of it
  is evaluated and the last result is printed.

  On a terminal, an expression goes on over further lines as long as a bracket
  or a heredoc is open, the Tab key completes names, and the arrow keys bring
  back earlier lines. "exit", Ctrl-C or Ctrl-D leave.

  This command never changes the state. While it is open it holds the lock of
  the state, so that others cannot change it.

Options:

  -json-into=path   Write the results into this file or pipe too, as JSON.

  -lock=false       Don't lock the state. Commands of others may change it then.

  -lock-timeout=0s  How long to wait for a lock that another user holds.

  -state=path       The state to read. Prefer the "path" argument of the local
                    backend.

  -plan             Make a plan, and see the values that it expects instead of
                    those in the state.

  -scope=module     The address of a module instance, such as module.net or
                    module.net["a"], in which expressions are evaluated
                    instead of the root module.

  -var 'foo=bar'    A value for a variable of the root module. May be given
                    more than once.

  -var-file=foo     A file with values for variables, besides those that are
                    always read: terraform.tfvars and *.auto.tfvars.
`,
  async run(args, context) {
    const parsed = parseFlags(CONSOLE_FLAGS, args);
    return await (await import('./run.ts')).runConsole(parsed, context);
  },
};
