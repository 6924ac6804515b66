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

  Imports an existing object into the state, as the resource instance at the
  address ADDR. The object is only read, and nothing but the state is
  changed.

  The ID identifies the object for the provider, whose documentation describes
  it for each resource type. The configuration must already have a block for
  the resource. The next plan shows differences between the block and the
  object.

  An "import" block imports the object as part of a plan, which shows the
  result first and can generate the configuration.

Options:

  -config=path            The directory of the configuration files, if not the
                          working directory.

  -ignore-remote-version  Import even if a server runs the workspace with a
                          different version, which may not read the state.

  -input=false            Don't prompt for variables without a value.

  -lock=false             Don't lock the state. This is dangerous if other
                          commands may run for the same workspace at the same
                          time.

  -lock-timeout=0s        The time to wait for a lock that another user holds.

  -no-color               Print without colors.

  -parallelism=n          The limit of concurrent operations; 10 by
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
