import type { Command } from '../../command.ts';
import { JSON_HELP } from '../../flags/option-help.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { IMPORT_FLAGS } from './flags.ts';

/** `terrane import` */
export const command: Command = {
  name: 'import',
  summary: 'Associate existing infrastructure with a resource',
  flags: IMPORT_FLAGS,
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

  -lock-timeout=0s        How long to wait for a lock that another user holds.

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
    const parsed = parseFlags(IMPORT_FLAGS, args);
    return await (await import('./run.ts')).runImport(parsed, context);
  },
};
