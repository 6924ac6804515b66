import { VARIABLE_FLAGS, type VariableValues } from '../arguments.ts';
import type { Command } from '../command.ts';
import { bool, list, text } from '../flags/flag.ts';
import { parseFlags, type FlagTable, type ParsedFlags } from '../flags/parse-flags.ts';

/** What the command line of `console` says. */
export interface ConsoleValues extends VariableValues {
  readonly state: string;
  readonly input: boolean;
  readonly target: readonly string[];
}

const FLAGS: FlagTable<ConsoleValues> = {
  ...VARIABLE_FLAGS,
  state: text(),
  input: bool(true),
  target: list(),
};

/** The command line of it, read. */
export type ConsoleFlags = ParsedFlags<ConsoleValues>;

/** `terrane console` */
export const command: Command = {
  name: 'console',
  summary: 'Try expressions at an interactive command prompt',
  help: `
Usage: terrane [global options] console [options]

  Evaluates expressions as they may be written in the configuration, with the
  values that the state holds. When the input is no terminal, all its lines
  are evaluated and the last result is printed.

  This command never changes the state.

Options:

  -state=path       The state to read. Prefer the "path" argument of the local
                    backend.

  -var 'foo=bar'    A value for a variable of the root module. May be given
                    more than once.

  -var-file=foo     A file with values for variables, besides those that are
                    always read: terraform.tfvars and *.auto.tfvars.
`,
  async run(args, context) {
    const parsed = parseFlags(FLAGS, args);
    return await (await import('../runs/run-console.ts')).runConsole(parsed, context);
  },
};
