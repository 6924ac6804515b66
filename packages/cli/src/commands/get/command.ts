import type { Command } from '../../command.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { GET_FLAGS } from './flags.ts';

/** `terrane get` */
export const command: Command = {
  name: 'get',
  summary: 'Install or upgrade modules',
  flags: GET_FLAGS,
  help: `
Usage: terrane [global options] get [options]

  Installs the modules that the configuration calls, and those that they
  call, from registries, repositories, buckets and archives. Installed modules
  are kept. "terrane init" does the same.

Options:

  -update               Fetch all modules again, in the newest allowed
                        versions.

  -json                 Print one JSON object a line, for programs.

  -json-into=path       Write the output of -json to this file or pipe, in
                        addition to the usual output.

  -no-color             Print without colors.

  -test-directory=path  The directory of test files; "tests" by default.

  -var 'foo=bar'        A value for a variable that sources of modules depend
                        on; -var-file=filename likewise.
`,
  async run(args, context) {
    const parsed = parseFlags(GET_FLAGS, args);
    return await (await import('./run.ts')).runGet(parsed, context);
  },
};
