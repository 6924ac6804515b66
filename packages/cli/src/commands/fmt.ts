import type { Command } from '../command.ts';
import { bool } from '../flags/flag.ts';
import { parseFlags, type FlagTable, type ParsedFlags } from '../flags/parse-flags.ts';

/** What the command line of `fmt` says. */
export interface FmtValues {
  readonly list: boolean;
  readonly write: boolean;
  readonly diff: boolean;
  readonly check: boolean;
  readonly recursive: boolean;
}

const FLAGS: FlagTable<FmtValues> = {
  list: bool(true),
  write: bool(true),
  diff: bool(false),
  check: bool(false),
  recursive: bool(false),
};

/** The command line of it, read. */
export type FmtFlags = ParsedFlags<FmtValues>;

/** `terrane fmt` */
export const command: Command = {
  name: 'fmt',
  summary: 'Reformat your configuration in the standard style',
  flags: FLAGS,
  help: `
Usage: terrane [global options] fmt [options] [target...]

  Brings configuration files (.tf, .tofu), variable files (.tfvars), test files
  (.tftest.hcl, .tofutest.hcl, .tfmock.hcl) and query files (.tfquery.hcl) into
  the usual layout. Files in JSON syntax stay as they are.

  Without a target all such files of this directory are looked at. A target
  may be a directory, a file, or "-", which means that the text to format is
  read from the input and written to the output.

Options:

  -list=false    Don't list the names of the files that change (never listed
                 when reading from the input).

  -write=false   Don't write to files (never written when reading from the
                 input, or with -check).

  -diff          Show what changes.

  -check         Only check whether anything would change. The exit code is 0
                 if not, and else 3.

  -no-color      Print without colors.

  -recursive     Look into the directories below too.
`,
  async run(args, context) {
    const parsed = parseFlags(FLAGS, args);
    if (parsed.error !== undefined) {
      context.world.stderr.write(
        `${context.help}Error parsing command-line flags: ${parsed.error}\n\n`,
      );
      return 1;
    }
    return await (await import('../runs/run-fmt.ts')).runFmt(parsed, context);
  },
};
