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

  Evaluates expressions of the configuration language with the values in the
  state. If the input is not a terminal, evaluates every line and prints the
  last result.

  On a terminal, an expression continues on the next line while a bracket or a
  heredoc is open. The Tab key completes names, and the arrow keys recall
  earlier lines. "exit", Ctrl-C or Ctrl-D end the console.

  This command never changes the state. It holds the lock of the state until
  it ends, so that others cannot change it.

Options:

  -json-into=path   Write the results into this file or pipe too, as JSON.

  -lock=false       Don't lock the state. Other commands may change it.

  -lock-timeout=0s  The time to wait for a lock that another user holds.

  -state=path       The state to read. Prefer the "path" argument of the local
                    backend.

  -plan             Create a plan, and evaluate with its values instead of
                    those in the state.

  -scope=module     The address of a module instance, such as module.net or
                    module.net["a"], in which expressions are evaluated
                    instead of the root module.

  -var 'foo=bar'    A value for a variable of the root module. May be given
                    more than once.

  -var-file=foo     A file with values for variables, in addition to
                    terraform.tfvars and *.auto.tfvars.
`,
  async run(args, context) {
    const parsed = parseFlags(CONSOLE_FLAGS, args);
    return await (await import('./run.ts')).runConsole(parsed, context);
  },
};
