import { programCommand } from '@terrane/host';
import { policyTestsJson, runPolicyTests, validatePolicies } from '@terrane/policy';
import { type Project, runTests } from '@terrane/ops';
import type { AgentRules } from '../agent-rules.ts';
import { failure, plainProblems } from '../result.ts';
import { argumentsOf, textOf, type Tool } from '../tool.ts';

/** Tools that execute tests of the configuration. */
export function testTools(project: Project, rules: () => Promise<AgentRules>): readonly Tool[] {
  return [
    {
      name: 'test',
      title: 'Run tests',
      description:
        'Runs the tests of the configuration. Tests may create and destroy real objects, so a rule of the project must permit it.',
      schema: argumentsOf({ file: textOf('only this test file') }),
      isReadOnly: false,
      run: async (args, signal) => {
        if (!(await rules()).allowsTests)
          return failure(
            `No rule permits agents to run tests, which may create and destroy objects. A person can run "${programCommand('test')}", or permit it in mcp.hcl.`,
          );
        const file = args.text('file');
        const { suite, diagnostics } = await runTests(
          project,
          {
            testDirectory: 'tests',
            filter: file === undefined ? [] : [file],
            variables: [],
            verbose: false,
            runParallelism: 1,
            unknownFiles: 'reported',
          },
          {
            emit: () => undefined,
            showDiagnostics: () => undefined,
            ...(signal === undefined ? {} : { signal }),
          },
        );
        if (suite === undefined) return failure('The tests could not be run.', diagnostics);
        return {
          data: {
            status: suite.status,
            files: suite.files.map(({ name, status, runs }) => ({
              name,
              status,
              runs: runs.map((run) => ({
                name: run.name,
                status: run.status,
                diagnostics: plainProblems(run.diagnostics),
              })),
            })),
            diagnostics: plainProblems(diagnostics),
          },
        };
      },
    },
    {
      name: 'policies',
      title: 'Check policies',
      description:
        'Validates the policies of the project, or runs their tests. Policies are evaluated for mocks only.',
      schema: argumentsOf({
        path: textOf('a file or directory with policies below the root module; default: "."'),
        test: { type: 'boolean', description: 'runs the tests too' },
      }),
      isReadOnly: true,
      run: async (args, signal) => {
        const path = args.text('path') ?? '.';
        if (!isBelow(path))
          return failure(`${path} is not below the directory of the root module.`);
        const { files, environment, clock, random } = project.host;
        const ports = { files, environment, clock, random };
        const validated = await validatePolicies([path], ports);
        const data = {
          files: validated.files.length,
          diagnostics: plainProblems(validated.diagnostics),
        };
        if (!args.flag('test')) return { data };
        const tested = await runPolicyTests(
          { policies: [path], tests: [], filter: [] },
          { ...ports, ...(signal === undefined ? {} : { signal }) },
        );
        const tests: unknown = JSON.parse(policyTestsJson(tested, false));
        return { data: { ...data, tests }, isError: !tested.isSuccessful };
      },
    },
  ];
}

/** Returns true for a relative path without parent directories. */
function isBelow(path: string): boolean {
  return !/^([/\\]|[a-zA-Z]:)/.test(path) && !path.split(/[/\\]/).includes('..');
}
