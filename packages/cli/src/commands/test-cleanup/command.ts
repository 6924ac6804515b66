import type { Command } from '../../command.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { TEST_CLEANUP_FLAGS } from './flags.ts';

/** `terrane test cleanup` */
export const command: Command = {
  name: 'test cleanup',
  summary: 'Destroy the remaining objects of tests',
  help: `
Usage: terrane [global options] test cleanup [options]

  Destroys the remaining objects of earlier tests: those whose teardown failed,
  those of aborted tests, and those of runs with "skip_cleanup". No tests are
  executed. The states are in the directory "test" of the data directory
  (.terraform).

  This includes runs with a "backend" block: the objects in the states of
  their backends are destroyed.

Options:

  -filter=testfile       Only clean up this test file. May be given more than
                         once.

  -json                  Print one JSON object a line, for programs.

  -json-into=path        Write the output of -json to this file or pipe, in
                         addition to the usual output.

  -no-color              Print without colors.

  -repair                Only destroy objects of failed or aborted teardowns,
                         not those of runs with "skip_cleanup" or a backend.

  -test-directory=path   The directory of test files; "tests" by default.

  -var 'foo=bar'         A value for a variable of the root module. May be
                         given more than once.

  -var-file=filename     A file with values for variables, in addition to
                         terraform.tfvars and *.auto.tfvars. May be given more
                         than once.
`,
  async run(args, context) {
    const parsed = parseFlags(TEST_CLEANUP_FLAGS, args);
    const cleanup = parsed.values.repair ? 'repair' : 'all';
    return await (await import('../test/run.ts')).runTest(parsed, context, cleanup);
  },
};
