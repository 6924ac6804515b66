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

  -redacted           With -json, replace sensitive values with the text
                      "(sensitive value)".

  -json               Print JSON in the format that Terraform documents.

  -json-into=path     Write the output of -json to this file or pipe, in
                      addition to the usual output.

  -html               Print a saved plan as a web page: the graph of its
                      resources, and the planned changes of each.

  -module=dir         Print the declarations of the module in this directory:
                      variables, outputs, calls and resources, without
                      expressions. Needs -json, but no installation.

  -plan=path          Print this saved plan.

  -show-sensitive     Show sensitive values too.

  -state              Print the state of the selected workspace, as without
                      a path.

  -summary            Print a summary of a saved plan: its objects by module
                      and action, without values.

  -svg                Print the graph of a saved plan as an SVG image.

  -var 'foo=bar'      A value for a variable, which is used only for sources
                      of modules and other early values; -var-file=filename
                      likewise.
`,
  async run(args, context) {
    const parsed = parseFlags(SHOW_FLAGS, args);
    return await (await import('./run.ts')).runShow(parsed, context);
  },
};
