import type { TestedSuite } from '@terrane/engine';
import { errorDiagnostic, hasErrors, type Diagnostic } from '@terrane/hcl';
import { userErrorText } from '@terrane/host';
import { runTests, type Project, type TestRequest } from '@terrane/ops';
import { type JunitStyle, junitXml } from '@terrane/render';
import type { CommandContext } from '../../command.ts';
import type { TestFlags } from './flags.ts';
import { jsonInto } from '../../views/json-into.ts';
import { testView } from './view.ts';
import { interruptible } from '../../run/interruptible.ts';
import { flagProblems, variableOptions } from '../../run/operation-arguments.ts';
import { projectOf } from '../../run/project-of.ts';

/** Runs the tests of the configuration, or only their clean-up; exit code 0 if everything succeeded. */
export async function runTest(
  parsed: TestFlags,
  context: CommandContext,
  cleanup?: TestRequest['cleanup'],
): Promise<number> {
  const { values, occurrences } = parsed;
  const into = jsonInto(values, context);
  const view = testView(context, values.json, into.world);
  const problems = [...argumentProblems(parsed), ...into.problems];
  if (hasErrors(problems)) {
    view.diagnostics(problems);
    view.helpPrompt(cleanup === undefined ? 'test' : 'test cleanup');
    return 1;
  }
  const variables = variableOptions(occurrences);
  const project = projectOf(context, variables);
  const { world } = context;
  const outcome = await interruptible(world, view, async ({ signal, abort }) => {
    const { suite, diagnostics } = await runTests(
      project,
      {
        testDirectory: values['test-directory'],
        filter: values.filter,
        unknownFiles: values.json ? 'ignored' : 'reported',
        variables,
        verbose: values.verbose,
        coverage: values.coverage,
        parallelism: values.parallelism,
        allowDeferral: values['allow-deferral'],
        runParallelism: values['run-parallelism'],
        cleanup,
      },
      {
        emit: (event) => view.event(event),
        showDiagnostics: (diagnostics) => view.diagnostics(diagnostics),
        signal,
        abort,
      },
    );
    view.endProgress();
    view.diagnostics(diagnostics);
    if (suite === undefined || abort.aborted) return 1;
    const unwritten = await writeJunit(project, values['junit-xml'], suite, {
      stopped: signal.aborted,
      sorted: !values.json,
    });
    view.diagnostics(unwritten);
    return suite.status === 'pass' && unwritten.length === 0 ? 0 : 1;
  });
  view.endProgress();
  if ('result' in outcome) return outcome.result;
  world.leave(1);
  return 1;
}

function argumentProblems(parsed: TestFlags): Diagnostic[] {
  const { values } = parsed;
  const problems = flagProblems(parsed);
  const cloud = values['cloud-run'] !== '';
  if (cloud && values['junit-xml'] !== '') {
    problems.push(
      errorDiagnostic(
        'Incompatible command-line flags',
        'The -junit-xml option is currently not compatible with remote test execution via the -cloud-run flag. If you are interested in JUnit XML output for remotely-executed tests please open an issue in GitHub.',
      ),
    );
  } else if (cloud) {
    problems.push(
      errorDiagnostic(
        'Remote test runs are not supported',
        'The option -cloud-run asks HCP Terraform to run the tests of a module in its private registry. Terrane runs tests on this machine only. Leave the option out to do that.',
      ),
    );
  }
  for (const name of ['parallelism', 'run-parallelism'] as const) {
    if (values[name] > 0) continue;
    problems.push(
      errorDiagnostic(
        `Invalid ${name} value`,
        `The ${name} must be a positive value. Not ${values[name]}.`,
      ),
    );
  }
  return problems;
}

async function writeJunit(
  project: Project,
  path: string,
  suite: TestedSuite,
  style: JunitStyle,
): Promise<readonly Diagnostic[]> {
  if (path === '') return [];
  try {
    await project.host.files.writeFile(path, junitXml(suite, style), { mode: 0o660 });
    return [];
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    const reason = userErrorText(error);
    const why = missing ? `open ${path}: no such file or directory` : reason;
    return [errorDiagnostic(`error saving JUnit XML to file "${path}"`, why)];
  }
}
