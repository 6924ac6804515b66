import type { Command } from '../command.ts';
import { JSON_FLAGS, type JsonValues, VARIABLE_FLAGS, type VariableValues } from '../arguments.ts';
import { bool, text } from '../flags/flag.ts';
import { parseFlags, type FlagTable, type ParsedFlags } from '../flags/parse-flags.ts';

/** What the command line of `get` says. */
export interface GetValues extends VariableValues, JsonValues {
  readonly update: boolean;
  readonly 'test-directory': string;
}

const FLAGS: FlagTable<GetValues> = {
  ...JSON_FLAGS,
  ...VARIABLE_FLAGS,
  update: bool(false),
  'test-directory': text('tests'),
};

/** The command line of it, read. */
export type GetFlags = ParsedFlags<GetValues>;

/** `terrane get` */
export const command: Command = {
  name: 'get',
  summary: 'Install or upgrade modules',
  flags: FLAGS,
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
    const parsed = parseFlags(FLAGS, args);
    return await (await import('../runs/run-get.ts')).runGet(parsed, context);
  },
};
