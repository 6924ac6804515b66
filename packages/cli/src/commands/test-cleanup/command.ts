import type { Command } from '../../command.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { TEST_CLEANUP_FLAGS } from './flags.ts';

/** `terrane test cleanup` */
export const command: Command = {
  name: 'test cleanup',
  summary: 'Remove what tests have left',
  help: `
Usage: terrane [global options] test cleanup [options]

  Removes the objects that earlier executions of tests have left: those that
  could not be removed then, those of executions that were given up, and those
  of runs with "skip_cleanup". Nothing is executed. The states are in "test"
  of the data directory (.terraform).

  Runs with a "backend" block are cleaned up after too: what their backends
  keep is removed.

Options:

  -filter=testfile       Only look at this test file. May be given more than
                         once.

  -json                  Print one JSON object a line, for programs.

  -json-into=path        Write what -json prints into this file or pipe,
                         besides what people are shown.

  -no-color              Print without colors.

  -repair                Only remove what was left by mistake, not that of runs
                         with "skip_cleanup" or a backend.

  -test-directory=path   Where the test files are; "tests" by default.

  -var 'foo=bar'         A value for a variable of the root module. May be
                         given more than once.

  -var-file=filename     A file with values for variables, besides those that
                         are always read: terraform.tfvars and *.auto.tfvars.
                         May be given more than once.
`,
  async run(args, context) {
    const parsed = parseFlags(TEST_CLEANUP_FLAGS, args);
    const cleanup = parsed.values.repair ? 'repair' : 'all';
    return await (await import('../test/run.ts')).runTest(parsed, context, cleanup);
  },
};
