import type { Command } from '../../command.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { STATE_IDENTITIES_FLAGS } from './flags.ts';

/** `terrane state identities` */
export const command: Command = {
  name: 'state identities',
  summary: 'List the identities of resources in the state',
  flags: STATE_IDENTITIES_FLAGS,
  help: `
Usage: terrane [global options] state identities [options] -json [address...]

  Prints the identities of the resource instances in the state, as a JSON
  object with the addresses of the instances as keys. Instances without an
  identity are omitted. Addresses of modules, resources or instances limit the
  output:
      aws_instance.example
      module.example
      module.example.module.child
      module.example.aws_instance.example

  An address that matches nothing in the state is an error.

Options:

  -json               Required; other formats may follow.

  -state=statefile    The state to read, instead of that of the selected
                      workspace.

  -id=ID              Only list instances with this "id".
`,
  async run(args, context) {
    const parsed = parseFlags(STATE_IDENTITIES_FLAGS, args);
    return await (await import('./run.ts')).runStateIdentities(parsed, context);
  },
};
