import {
  JSON_FLAGS,
  type JsonValues,
  OPERATION_FLAGS,
  type OperationValues,
  SENSITIVE_FLAGS,
  type SensitiveValues,
  STATE_FLAGS,
  type StateValues,
  VARIABLE_FLAGS,
  type VariableValues,
} from '../arguments.ts';
import type { Command } from '../command.ts';
import { bool } from '../flags/flag.ts';
import { parseFlags, type FlagTable, type ParsedFlags } from '../flags/parse-flags.ts';

/** What the command line of `refresh` says. */
export interface RefreshValues
  extends StateValues, OperationValues, VariableValues, SensitiveValues, JsonValues {
  readonly input: boolean;
}

const FLAGS: FlagTable<RefreshValues> = {
  ...JSON_FLAGS,
  ...STATE_FLAGS,
  ...OPERATION_FLAGS,
  ...VARIABLE_FLAGS,
  ...SENSITIVE_FLAGS,
  input: bool(true),
};

/** The command line of it, read. */
export type RefreshFlags = ParsedFlags<RefreshValues>;

/** `terrane refresh` */
export const command: Command = {
  name: 'refresh',
  summary: 'Update the state to match remote systems',
  flags: FLAGS,
  help: `
Usage: terrane [global options] refresh [options]

  Looks at everything that the state records and writes what it finds into
  the state. What exists is not changed.

  It does so without showing anything first, and what it loses may be needed:
  prefer "terrane apply -refresh-only", which asks before it changes the
  state.

Options:

  -compact-warnings    Show only the summaries of warnings, unless there are
                       errors too.

  -concise             Say nothing of what is in progress.

  -exclude=resource    Look at everything but this module, resource or
                       instance, and what builds on it. Not together with
                       -target.

  -exclude-file=file   The same for all addresses in this file, one in each
                       line. Lines that begin with "#" are comments.

  -input=true          Ask for variables that have no value.

  -json                Print one JSON object a line, for programs.

  -json-into=path      Write what -json prints into this file or pipe, besides
                       what people are shown.

  -lock=false          Don't lock the state while working.

  -lock-timeout=0s     How long to wait for a lock that somebody else holds.

  -no-color            Print without colors.

  -parallelism=n       How many operations may run at the same time; 10 by
                       default.

  -target=resource     Only look at this module, resource or instance, and at
                       what it depends on. May be given more than once.

  -target-file=file    The same for all addresses in this file, as in
                       -exclude-file.

  -var 'foo=bar'       A value for a variable of the root module. May be given
                       more than once.

  -var-file=filename   A file with values for variables. May be given more than
                       once.

  -show-sensitive      Show sensitive values of outputs too.

  -state, -state-out and -backup say where the local backend keeps the state.
`,
  async run(args, context) {
    const parsed = parseFlags(FLAGS, args);
    return await (await import('../runs/run-refresh.ts')).runRefresh(parsed, context);
  },
};
