import type { Command } from '../../command.ts';
import { JSON_HELP, SETTINGS_VARIABLES_HELP } from '../../flags/option-help.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { PROVIDERS_MIRROR_FLAGS } from './flags.ts';

/** `terrane providers mirror` */
export const command: Command = {
  name: 'providers mirror',
  summary: 'Save local copies of all required provider plugins',
  flags: PROVIDERS_MIRROR_FLAGS,
  help: `
Usage: terrane [global options] providers mirror [options] <target-dir>

  Downloads the packages of all providers that the configuration needs into a
  directory, from their registries, with the index files of a network mirror.
  The directory is a filesystem mirror, and a network mirror if a web server
  serves it.

Options:

  -platform=OS_ARCH       A platform, such as linux_amd64; may be repeated.
                          The default is the platform of this machine.

  -lock-file=false        Select the newest allowed versions instead of those
                          in the lock file.

${JSON_HELP}
${SETTINGS_VARIABLES_HELP}`,
  async run(args, context) {
    const parsed = parseFlags(PROVIDERS_MIRROR_FLAGS, args);
    const { runProvidersMirror } = await import('./run.ts');
    return await runProvidersMirror(parsed, context);
  },
};
