import type { Command } from '../../command.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { INIT_FLAGS } from './flags.ts';

/** `terrane init` */
export const command: Command = {
  name: 'init',
  summary: 'Prepare your working directory for other commands',
  flags: INIT_FLAGS,
  help: `
Usage: terrane [global options] init [options]

  Initializes this directory for the other commands: sets up the backend,
  installs the modules and providers that the configuration and the state
  need, and records the providers in .terraform.lock.hcl.

  Bundled providers are installed only if the configuration requires another
  version, or if the CLI configuration specifies their installation method. It
  is always safe to run this command again.

Options:

  -backend=false          Keep the backend of the previous init.

  -backend-config=VALUE   An argument of the backend block, as name=value, or a
                          file with such arguments. May be repeated.

  -force-copy             Migrate states without a prompt; implies
                          -migrate-state.

  -from-module=SOURCE     First copy a module into this directory, which must be
                          empty.

  -get=false              Install no modules; they must be installed already.

  -input=false            Disable prompts; missing input is an error.

  -json                   Print one JSON object a line, for programs.

  -json-into=path         Write the output of -json to this file or pipe, in
                          addition to the usual output.

  -lock=false             Don't lock the state during its migration.

  -lock-timeout=0s        The time to wait for a lock that another user holds.

  -lockfile=readonly      Don't write the lock files; fail if they lack a
                          provider or a module.

  -migrate-state          Migrate states to a changed backend.

  -no-color               Print without colors.

  -plugin-dir=DIR         Install provider packages only from this directory.
                          May be repeated.

  -reconfigure            Ignore the backend of the previous init.

  -test-directory=DIR     The directory of test files; "tests" by default.

  -upgrade                Select the newest versions of modules and providers
                          that the configuration allows.
`,
  async run(args, context) {
    const parsed = parseFlags(INIT_FLAGS, args);
    return await (await import('./run.ts')).runInit(parsed, context);
  },
};
