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

  Puts the packages of all providers that the configuration needs into a
  directory, from their registries, together with the indexes that make it a
  network mirror where a web server shows it. The directory serves as a
  filesystem mirror as it is.

Options:

  -platform=OS_ARCH       A platform, such as linux_amd64; may be repeated.
                          By default the one this is run on.

  -lock-file=false        Take the newest versions that are allowed, and not
                          those of the lock file.

${JSON_HELP}
${SETTINGS_VARIABLES_HELP}`,
  async run(args, context) {
    const parsed = parseFlags(PROVIDERS_MIRROR_FLAGS, args);
    const { runProvidersMirror } = await import('./run.ts');
    return await runProvidersMirror(parsed, context);
  },
};
