import type { Command } from '../../command.ts';
import { JSON_HELP, SETTINGS_VARIABLES_HELP } from '../../flags/option-help.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { PROVIDERS_LOCK_FLAGS } from './flags.ts';

/** `terrane providers lock` */
export const command: Command = {
  name: 'providers lock',
  summary: 'Write out dependency locks for the configured providers',
  flags: PROVIDERS_LOCK_FLAGS,
  help: `
Usage: terrane [global options] providers lock [options] [providers...]

  Adds the checksums of the packages of all providers that the configuration
  needs, or of those named, to the lock file: for each platform named, from
  the registries of the providers, whatever the CLI configuration says about
  installing them.

Options:

  -fs-mirror=DIR          Take the packages from this directory instead.

  -net-mirror=URL         Take the packages from this mirror instead.

  -oci-mirror=TEMPLATE    Take the packages from the repositories of an OCI
                          registry instead, such as
                          registry.example.com/{namespace}/{type}.

  -platform=OS_ARCH       A platform, such as linux_amd64; may be repeated.
                          By default the one this is run on.

  -enable-plugin-cache    Use the shared cache of the CLI configuration.

  -test-directory=DIR     Lock the providers of the test files in this directory
                          too.

${JSON_HELP}
${SETTINGS_VARIABLES_HELP}`,
  async run(args, context) {
    const parsed = parseFlags(PROVIDERS_LOCK_FLAGS, args);
    const { runProvidersLock } = await import('./run.ts');
    return await runProvidersLock(parsed, context);
  },
};
