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
  call, from registries, repositories, buckets and archives. What is installed
  already stays as it is. "terrane init" does the same.

Options:

  -update               Fetch everything anew, in the newest versions that are
                        allowed.

  -json                 Print one JSON object a line, for programs.

  -json-into=path       Write what -json prints into this file or pipe, besides
                        what people are shown.

  -no-color             Print without colors.

  -test-directory=path  Where the test files are; "tests" by default.

  -var 'foo=bar'        Give a value to a variable that sources of modules are
                        worked out from; -var-file=filename likewise.
`,
  async run(args, context) {
    const parsed = parseFlags(GET_FLAGS, args);
    return await (await import('./run.ts')).runGet(parsed, context);
  },
};
