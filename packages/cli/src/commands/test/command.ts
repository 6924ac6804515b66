import type { Command } from '../../command.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { TEST_FLAGS } from './flags.ts';

/** `terrane test` */
export const command: Command = {
  name: 'test',
  summary: 'Run the tests of the configuration',
  help: `
Usage: terrane [global options] test [options]

  Runs the tests of the configuration in this directory and reports the results.

  Tests are files named .tftest.hcl, .tftest.json or .tofutest.hcl in the
  directory itself or in its "tests" directory. Their run blocks are executed
  in order: each plans or applies the configuration, or another module, and
  checks its assertions against the result.

  Real infrastructure is created unless providers are mocked, and destroyed at
  the end. Watch for reports of objects that could not be destroyed: "terrane
  test cleanup" tries again.

Options:

  -allow-deferral        Defer resources that a run cannot plan yet to a later
                         run, as in the "plan" command.

  -cloud-run=source      Not supported: tests run here only.

  -coverage              Report which resources and conditions of the
                         configuration the tests have covered.

  -filter=testfile       Only run this test file. May be given more than once.

  -json                  Print one JSON object a line, for programs.

  -json-into=path        Write the output of -json to this file or pipe, in
                         addition to the usual output.

  -junit-xml=path        Also write the results into this file, as JUnit XML.

  -no-color              Print without colors.

  -parallelism=n         The limit of concurrent provider operations in a
                         run; 10 by default.

  -run-parallelism=n     The limit of concurrent runs of a file, if the file
                         permits parallel execution; 10 by
                         default.

  -test-directory=path   The directory of test files; "tests" by default.

  -var 'foo=bar'         A value for a variable of the root module. May be
                         given more than once.

  -var-file=filename     A file with values for variables, in addition to
                         terraform.tfvars and *.auto.tfvars. May be given more
                         than once.

  -verbose               Show the plan or the state of each run.
`,
  async run(args, context) {
    const parsed = parseFlags(TEST_FLAGS, args);
    return await (await import('./run.ts')).runTest(parsed, context);
  },
};
