import type { Command } from '../../command.ts';
import { JSON_HELP, SETTINGS_VARIABLES_HELP } from '../../flags/option-help.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { STATE_LIST_FLAGS } from './flags.ts';

/** `terrane state list` */
export const command: Command = {
  name: 'state list',
  summary: 'List resources in the state',
  flags: STATE_LIST_FLAGS,
  help: `
Usage: terrane [global options] state list [options] [address...]

  Lists the addresses of the resource instances in the state. Given addresses
  of modules, resources or instances, only those in them are listed:
      aws_instance.example
      module.example
      module.example.module.child
      module.example.aws_instance.example

  An address that matches nothing in the state is an error.

Options:

  -state=statefile    The state to read, instead of that of the selected
                      workspace.

  -id=ID              Only list instances with this "id".

${JSON_HELP}
${SETTINGS_VARIABLES_HELP}`,
  async run(args, context) {
    const parsed = parseFlags(STATE_LIST_FLAGS, args);
    return await (await import('./run.ts')).runStateList(parsed, context);
  },
};
