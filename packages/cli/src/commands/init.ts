import type { Command } from '../command.ts';
import { JSON_FLAGS, type JsonValues, VARIABLE_FLAGS, type VariableValues } from '../arguments.ts';
import { bool, duration, list, text } from '../flags/flag.ts';
import { parseFlags, type FlagTable, type ParsedFlags } from '../flags/parse-flags.ts';

/** What the command line of `init` says. */
export interface InitValues extends VariableValues, JsonValues {
  readonly target: readonly string[];
  readonly input: boolean;
  readonly backend: boolean;
  readonly cloud: boolean;
  readonly 'from-module': string;
  readonly get: boolean;
  readonly 'force-copy': boolean;
  readonly lock: boolean;
  readonly 'lock-timeout': number;
  readonly reconfigure: boolean;
  readonly 'migrate-state': boolean;
  readonly upgrade: boolean;
  readonly lockfile: string;
  readonly 'ignore-remote-version': boolean;
  readonly 'test-directory': string;
  readonly 'backend-config': readonly string[];
  readonly 'plugin-dir': readonly string[];
}

const FLAGS: FlagTable<InitValues> = {
  ...JSON_FLAGS,
  ...VARIABLE_FLAGS,
  target: list(),
  input: bool(true),
  backend: bool(true),
  cloud: bool(true),
  'from-module': text(),
  get: bool(true),
  'force-copy': bool(false),
  lock: bool(true),
  'lock-timeout': duration(),
  reconfigure: bool(false),
  'migrate-state': bool(false),
  upgrade: bool(false),
  lockfile: text(),
  'ignore-remote-version': bool(false),
  'test-directory': text('tests'),
  'backend-config': list(),
  'plugin-dir': list(),
};

/** The command line of it, read. */
export type InitFlags = ParsedFlags<InitValues>;

/** `terrane init` */
export const command: Command = {
  name: 'init',
  summary: 'Prepare your working directory for other commands',
  flags: FLAGS,
  help: `
Usage: terrane [global options] init [options]

  Prepares this directory for the other commands: sets up the place where the
  state is kept, installs the modules and the providers that the configuration
  and the state need, and records the providers in .terraform.lock.hcl.

  Providers that come with Terrane are not installed, unless a version of them
  is asked for that Terrane does not have, or the CLI configuration says where
  they come from. It is always safe to run this command again.

Options:

  -backend=false          Leave the backend as it was set up before.

  -backend-config=VALUE   Something to add to the backend block: name=value, or
                          a file with such arguments. May be repeated.

  -force-copy             Move states along without asking; implies
                          -migrate-state.

  -from-module=SOURCE     First make this directory, which must be empty, a copy
                          of a module.

  -get=false              Install no modules; they have to be there already.

  -input=false            Ask nothing; what would be asked is an error.

  -json                   Print one JSON object a line, for programs.

  -json-into=path         Write what -json prints into this file or pipe,
                          besides what people are shown.

  -lock=false             Don't lock the state while it is moved.

  -lock-timeout=0s        How long to wait for a lock that somebody else holds.

  -lockfile=readonly      Don't write the lock file; fail where it lacks a
                          provider.

  -migrate-state          Move states along where the backend has changed.

  -no-color               Print without colors.

  -plugin-dir=DIR         Take packages of providers from this directory alone.
                          May be repeated.

  -reconfigure            Forget the backend that was set up before.

  -test-directory=DIR     Where the test files are; "tests" by default.

  -upgrade                Choose versions of modules and providers anew, within
                          what the configuration allows.
`,
  async run(args, context) {
    const parsed = parseFlags(FLAGS, args);
    return await (await import('../runs/run-init.ts')).runInit(parsed, context);
  },
};
