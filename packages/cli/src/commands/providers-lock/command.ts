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
  needs, or of the named ones, to the lock file: for each named platform, from
  the registries of the providers, regardless of the installation methods in
  the CLI configuration.

Options:

  -fs-mirror=DIR          Read the packages from this directory instead.

  -net-mirror=URL         Fetch the packages from this mirror instead.

  -oci-mirror=TEMPLATE    Fetch the packages from the repositories of an OCI
                          registry instead, such as
                          registry.example.com/{namespace}/{type}.

  -platform=OS_ARCH       A platform, such as linux_amd64; may be repeated.
                          The default is the platform of this machine.

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
