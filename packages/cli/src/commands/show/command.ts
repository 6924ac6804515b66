import type { Command } from '../../command.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { SHOW_FLAGS } from './flags.ts';

/** `terrane show` */
export const command: Command = {
  name: 'show',
  summary: 'Show the current state or a saved plan',
  flags: SHOW_FLAGS,
  help: `
Usage: terrane [global options] show [options] [path]

  Prints a state or a saved plan for people to read. Without a path this is
  the state of the selected workspace.

Options:

  -config             Print the configuration instead, with all modules. Needs
                      -json.

  -no-color           Print without colors.

  -redacted           With -json, replace sensitive values by the text
                      "(sensitive value)".

  -json               Print as JSON, in the form that Terraform documents.

  -json-into=path     Write what -json prints into this file or pipe, besides
                      what people are shown.

  -html               Print a saved plan as a page for browsers: the graph of
                      its resources, and what is planned for each.

  -module=dir         Print what the module in this directory tells by itself:
                      variables, outputs, what it calls and declares, without
                      expressions. Needs -json; nothing has to be installed.

  -plan=path          Print this saved plan.

  -show-sensitive     Show sensitive values too.

  -state              Print the state of the selected workspace, as without
                      a path.

  -summary            Print a saved plan in short: which objects change, by
                      module and action, without their values.

  -svg                Print the graph of a saved plan as a picture.

  -var 'foo=bar'      Give a value to a variable. Only sources of modules and
                      the like are worked out with it; -var-file=filename
                      likewise.
`,
  async run(args, context) {
    const parsed = parseFlags(SHOW_FLAGS, args);
    return await (await import('./run.ts')).runShow(parsed, context);
  },
};
