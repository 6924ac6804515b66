import type { Command } from '../command.ts';
import { VARIABLE_FLAGS, type VariableValues } from '../arguments.ts';
import { bool, duration, list, text } from '../flags/flag.ts';
import { parseFlags, type FlagTable, type ParsedFlags } from '../flags/parse-flags.ts';

/** What the command line of `init` says. */
export interface InitValues extends VariableValues {
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
  readonly json: boolean;
  readonly 'backend-config': readonly string[];
  readonly 'plugin-dir': readonly string[];
}

const FLAGS: FlagTable<InitValues> = {
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
  json: bool(false),
  'backend-config': list(),
  'plugin-dir': list(),
};

/** The command line of it, read. */
export type InitFlags = ParsedFlags<InitValues>;

/** `terrane init` */
export const command: Command = {
  name: 'init',
  summary: 'Prepare your working directory for other commands',
  help: `
Usage: terrane [global options] init [options]

  Checks that everything the configuration in this directory needs is at
  hand: its modules, the place where its state is kept, and its providers.

  Providers that come with Terrane need no installation, so this command
  changes nothing for them, and the other commands work without it. Neither
  the lock file nor the state is ever changed. It is always safe to run this
  command again.

Options:

  -backend=false          Leave the backend, and the state in it, alone.

  -from-module=SOURCE     First make this directory, which must be empty, a copy
                          of a module.

  -get=false              Install no modules; they have to be there already.

  -input=true             Ask for what is missing, where there is somebody to
                          ask.

  -json                   Print one JSON object a line, for programs.

  -lock=false             Don't lock the state while working.

  -lock-timeout=0s        How long to wait for a lock that somebody else holds.

  -lockfile=MODE          Accepted for compatibility: the lock file is never
                          changed.

  -no-color               Print without colors.

  -reconfigure            Accepted for compatibility, as is -migrate-state:
                          only the local backend is available.

  -upgrade                Accepted for compatibility: the versions of bundled
                          providers are those of Terrane.
`,
  async run(args, context) {
    const parsed = parseFlags(FLAGS, args);
    return await (await import('../runs/run-init.ts')).runInit(parsed, context);
  },
};
