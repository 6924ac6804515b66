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

  Formats configuration files (.tf, .tofu), variable files (.tfvars), test files
  (.tftest.hcl, .tofutest.hcl, .tfmock.hcl) and query files (.tfquery.hcl) in
  the canonical style. Files in JSON syntax are not changed.

  The default target is this directory. A target may be a directory, a file, or
  "-", which formats text from standard input and prints the result to standard
  output.

Options:

  -list=false    Don't list the names of the files that change (never listed
                 when reading from the input).

  -write=false   Don't write to files (never written when reading from the
                 input, or with -check).

  -diff          Show the changes.

  -check         Only check the format. The exit code is 0 if nothing would
                 change, otherwise 3.

  -no-color      Print without colors.

  -recursive     Also process subdirectories.
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
