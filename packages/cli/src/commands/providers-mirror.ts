import { JSON_FLAGS, type JsonValues, VARIABLE_FLAGS, type VariableValues } from '../arguments.ts';
import type { Command } from '../command.ts';
import { bool, list } from '../flags/flag.ts';
import { JSON_HELP, SETTINGS_VARIABLES_HELP } from '../flags/option-help.ts';
import { parseFlags, type FlagTable, type ParsedFlags } from '../flags/parse-flags.ts';

/** What the command line of `providers mirror` says. */
export interface MirrorValues extends JsonValues, VariableValues {
  readonly platform: readonly string[];
  readonly 'lock-file': boolean;
}

const FLAGS: FlagTable<MirrorValues> = {
  ...JSON_FLAGS,
  ...VARIABLE_FLAGS,
  platform: list(),
  'lock-file': bool(true),
};

/** The command line of it, read. */
export type MirrorFlags = ParsedFlags<MirrorValues>;

/** `terrane providers mirror` */
export const command: Command = {
  name: 'providers mirror',
  summary: 'Save local copies of all required provider plugins',
  flags: FLAGS,
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
    const parsed = parseFlags(FLAGS, args);
    const { runProvidersMirror } = await import('../runs/run-providers-fetch.ts');
    return await runProvidersMirror(parsed, context);
  },
};
