import type { Command } from '../../command.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { POLICY_TEST_FLAGS } from './flags.ts';

/** `terrane policy test` */
export const command: Command = {
  name: 'policy test',
  summary: 'Run the tests of policies',
  flags: POLICY_TEST_FLAGS,
  help: `
Usage: terrane [global options] policy test [options] [path...]

  Runs the tests of policies: files that end in .policytest.hcl, which declare
  mock resources, providers and modules and which of them must fail. Paths are
  files or directories with policies and tests, searched with their
  subdirectories; the current directory by default.

Options:

  -coverage        Report the conditions that were not both true and false in
                   the tests.

  -filter=text     Only run test files whose path contains this text. May be
                   given more than once.

  -json            Print the results as JSON.

  -junit-xml=path  Also write the results into this file, as JUnit XML.

  -no-color        Print without colors.

  -policies=path   Another path of policies. May be given more than once.

  -tests=path      The path of the tests, if it differs from the policies. May
                   be given more than once.

  -verbose         Show each mock, also those that pass.
`,
  async run(args, context) {
    const parsed = parseFlags(POLICY_TEST_FLAGS, args);
    return await (await import('./run.ts')).runPolicyTest(parsed, context);
  },
};
