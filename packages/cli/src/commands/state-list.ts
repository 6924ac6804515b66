import { JSON_FLAGS, type JsonValues, VARIABLE_FLAGS, type VariableValues } from '../arguments.ts';
import type { Command } from '../command.ts';
import { text } from '../flags/flag.ts';
import { JSON_HELP, SETTINGS_VARIABLES_HELP } from '../flags/option-help.ts';
import { parseFlags, type FlagTable, type ParsedFlags } from '../flags/parse-flags.ts';

/** What the command line of `state list` says. */
export interface StateListValues extends JsonValues, VariableValues {
  readonly state: string;
  readonly id: string;
}

const FLAGS: FlagTable<StateListValues> = {
  ...JSON_FLAGS,
  ...VARIABLE_FLAGS,
  state: text(),
  id: text(),
};

/** The command line of it, read. */
export type StateListFlags = ParsedFlags<StateListValues>;

/** `terrane state list` */
export const command: Command = {
  name: 'state list',
  summary: 'List resources in the state',
  flags: FLAGS,
  help: `
Usage: terrane [global options] state list [options] [address...]

  Lists the addresses of the resource instances in the state. Given addresses
  of modules, resources or instances, only those in them are listed:
      aws_instance.example
      module.example
      module.example.module.child
      module.example.aws_instance.example

  An address that stands for nothing in the state is an error.

Options:

  -state=statefile    The state to read, instead of that of the selected
                      workspace.

  -id=ID              Only list instances with this "id".

${JSON_HELP}
${SETTINGS_VARIABLES_HELP}`,
  async run(args, context) {
    const parsed = parseFlags(FLAGS, args);
    return await (await import('../runs/run-state.ts')).runStateList(parsed, context);
  },
};
