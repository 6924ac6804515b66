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

  -lock-timeout=0s        How long to wait for a lock that another user holds.

  -lockfile=readonly      Don't write the lock files; fail where they lack a
                          provider or a module.

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
    const parsed = parseFlags(INIT_FLAGS, args);
    return await (await import('./run.ts')).runInit(parsed, context);
  },
};
