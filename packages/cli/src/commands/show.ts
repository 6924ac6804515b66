import { SENSITIVE_FLAGS, type SensitiveValues } from '../arguments.ts';
import type { Command } from '../command.ts';
import { bool, text } from '../flags/flag.ts';
import { parseFlags, type FlagTable, type ParsedFlags } from '../flags/parse-flags.ts';

/** What the command line of `show` says. */
export interface ShowValues extends SensitiveValues {
  readonly plan: string;
  readonly state: boolean;
  readonly json: boolean;
  readonly html: boolean;
  readonly svg: boolean;
  readonly summary: boolean;
}

const FLAGS: FlagTable<ShowValues> = {
  ...SENSITIVE_FLAGS,
  plan: text(),
  state: bool(false),
  json: bool(false),
  html: bool(false),
  svg: bool(false),
  summary: bool(false),
};

/** The command line of it, read. */
export type ShowFlags = ParsedFlags<ShowValues>;

/** `terrane show` */
export const command: Command = {
  name: 'show',
  summary: 'Show the current state or a saved plan',
  flags: FLAGS,
  help: `
Usage: terrane [global options] show [options] [path]

  Prints a state or a saved plan for people to read. Without a path this is
  the state of the selected workspace.

Options:

  -no-color           Print without colors.

  -json               Print as JSON, in the form that Terraform documents.

  -html               Print a saved plan as a page for browsers: the graph of
                      its resources, and what is planned for each.

  -plan=path          Print this saved plan.

  -show-sensitive     Show sensitive values too.

  -state              Print the state of the selected workspace, as without
                      a path.

  -summary            Print a saved plan in short: which objects change, by
                      module and action, without their values.

  -svg                Print the graph of a saved plan as a picture.
`,
  async run(args, context) {
    const parsed = parseFlags(FLAGS, args);
    return await (await import('../runs/run-show.ts')).runShow(parsed, context);
  },
};
