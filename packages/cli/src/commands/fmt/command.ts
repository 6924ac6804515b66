import type { Command } from '../../command.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { FMT_FLAGS } from './flags.ts';

/** `terrane fmt` */
export const command: Command = {
  name: 'fmt',
  summary: 'Reformat your configuration in the standard style',
  flags: FMT_FLAGS,
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
    const parsed = parseFlags(FMT_FLAGS, args);
    if (parsed.error !== undefined) {
      context.world.stderr.write(
        `${context.help}Error parsing command-line flags: ${parsed.error}\n\n`,
      );
      return 1;
    }
    return await (await import('./run.ts')).runFmt(parsed, context);
  },
};
