import type { Command } from '../../command.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { TEST_FLAGS } from './flags.ts';

/** `terrane test` */
export const command: Command = {
  name: 'test',
  summary: 'Run the tests of the configuration',
  help: `
Usage: terrane [global options] test [options]

  Runs the tests of the configuration in this directory, and says what passed.

  Tests are files named .tftest.hcl, .tftest.json or .tofutest.hcl in the
  directory itself or in its "tests" directory. Their run blocks are executed
  in order: each plans or applies the configuration, or another module, and
  holds what comes of it against its assertions.

  Real infrastructure is created unless providers are mocked, and removed in
  the end. Watch for reports of what could not be removed: "terrane test
  cleanup" tries again.

Options:

  -allow-deferral        Leave what a run cannot plan yet to a later run, as
                         plan does with this option.

  -cloud-run=source      Not supported: tests run here only.

  -coverage              Show in the end which resources and conditions of the
                         configuration the tests have exercised, and which not.

  -filter=testfile       Only run this test file. May be given more than once.

  -json                  Print one JSON object a line, for programs.

  -json-into=path        Write what -json prints into this file or pipe,
                         besides what people are shown.

  -junit-xml=path        Also write the results into this file, as JUnit XML.

  -no-color              Print without colors.

  -parallelism=n         How many operations of providers may be under way at
                         the same time in a run; 10 by default.

  -run-parallelism=n     How many runs of a file may be executed at the same
                         time, where the file says that they may be executed
                         in parallel; 10 by default.

  -test-directory=path   Where the test files are; "tests" by default.

  -var 'foo=bar'         A value for a variable of the root module. May be
                         given more than once.

  -var-file=filename     A file with values for variables, besides those that
                         are always read: terraform.tfvars and *.auto.tfvars.
                         May be given more than once.

  -verbose               Show the plan or the state that each run makes.
`,
  async run(args, context) {
    const parsed = parseFlags(TEST_FLAGS, args);
    return await (await import('./run.ts')).runTest(parsed, context);
  },
};
