import {
  JSON_FLAGS,
  type JsonValues,
  REMOTE_VERSION_FLAGS,
  type RemoteVersionValues,
  STATE_FLAGS,
  type StateValues,
  VARIABLE_FLAGS,
  type VariableValues,
} from '../arguments.ts';
import type { Command } from '../command.ts';
import { bool, integer, list, text } from '../flags/flag.ts';
import { JSON_HELP } from '../flags/option-help.ts';
import { parseFlags, type FlagTable, type ParsedFlags } from '../flags/parse-flags.ts';

/** What the command line of `import` says. */
export interface ImportValues extends RemoteVersionValues, StateValues, VariableValues, JsonValues {
  readonly config: string;
  readonly input: boolean;
  readonly parallelism: number;
  /** taken and without effect, as in Terraform */
  readonly target: readonly string[];
}

const FLAGS: FlagTable<ImportValues> = {
  ...JSON_FLAGS,
  ...REMOTE_VERSION_FLAGS,
  ...STATE_FLAGS,
  ...VARIABLE_FLAGS,
  config: text(),
  input: bool(true),
  parallelism: integer(10),
  target: list(),
};

/** The command line of it, read. */
export type ImportFlags = ParsedFlags<ImportValues>;

/** `terrane import` */
export const command: Command = {
  name: 'import',
  summary: 'Associate existing infrastructure with a resource',
  flags: FLAGS,
  help: `
Usage: terrane [global options] import [options] ADDR ID

  Takes an object that exists into the state, as the resource instance at the
  address ADDR. Nothing but the state is changed: the object is only looked
  at.

  The ID is what the provider knows the object by; its documentation says what
  that is for each type of resource. The configuration must have a block for
  the resource already. The next plan shows what of the block does not fit the
  object.

  An "import" block does the same as part of a plan, which shows what will
  happen first, and can have the configuration written.

Options:

  -config=path            Where the configuration files are, if not in the
                          working directory.

  -ignore-remote-version  Also where a server runs the workspace with another
                          version, which may not read the state any more.

  -input=false            Don't ask for variables that have no value.

  -lock=false             Don't lock the state while working. This is dangerous
                          if others might run commands for the same workspace
                          at the same time.

  -lock-timeout=0s        How long to wait for a lock that somebody else holds.

  -no-color               Print without colors.

  -parallelism=n          How many operations may run at the same time; 10 by
                          default.

  -var 'foo=bar'          A value for a variable of the root module. May be
                          given more than once.

  -var-file=filename      A file with values for variables. May be given more
                          than once.

  -state, -state-out and -backup name the files of the local backend.

${JSON_HELP}`,
  async run(args, context) {
    const parsed = parseFlags(FLAGS, args);
    return await (await import('../runs/run-import.ts')).runImport(parsed, context);
  },
};
