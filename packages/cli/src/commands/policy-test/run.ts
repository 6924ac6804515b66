import { type Diagnostic, errorDiagnostic } from '@terrane/hcl';
import { userErrorText } from '@terrane/host';
import type { Project } from '@terrane/ops';
import {
  policyCoverageText,
  policyTestDiagnostics,
  policyTestFileText,
  policyTestsJson,
  policyTestsJunit,
  policyTestSummaryText,
  runPolicyTests,
  type TestedPolicies,
} from '@terrane/policy';
import type { CommandContext } from '../../command.ts';
import { policyCommand } from '../../run/policy-command.ts';
import { untilInterrupted } from '../../run/until-interrupted.ts';
import { View } from '../../views/view.ts';
import type { PolicyTestFlags } from './flags.ts';

/** Runs tests of policies; exit code 0 if all passed. */
export async function runPolicyTest(
  parsed: PolicyTestFlags,
  context: CommandContext,
): Promise<number> {
  const { values } = parsed;
  const view = new View(context);
  const command = policyCommand('policy test', parsed, context, view);
  if (command === undefined) return 1;
  const { project, paths, ports } = command;
  const tested = await untilInterrupted(context.world, (signal) =>
    runPolicyTests(
      { policies: paths, tests: values.tests, filter: values.filter },
      {
        ...ports,
        signal,
        finished: (file) => {
          if (values.json) return;
          view.print(policyTestFileText(file, values.verbose));
          view.diagnostics(policyTestDiagnostics(file));
        },
      },
    ),
  );
  const unwritten = await writeJunit(project, values['junit-xml'], tested);
  if (values.json) view.line(policyTestsJson(tested, values.coverage));
  else {
    view.diagnostics(tested.diagnostics);
    if (values.coverage) view.print(`\n${policyCoverageText(tested.coverage)}`);
    view.line(`\n${policyTestSummaryText(tested)}`);
  }
  view.diagnostics(unwritten);
  return tested.isSuccessful && unwritten.length === 0 ? 0 : 1;
}

async function writeJunit(
  { host }: Project,
  path: string,
  tested: TestedPolicies,
): Promise<readonly Diagnostic[]> {
  if (path === '') return [];
  try {
    await host.files.writeFile(path, policyTestsJunit(tested), { mode: 0o660 });
    return [];
  } catch (error) {
    const detail = `The file could not be written: ${userErrorText(error, path)}.`;
    return [errorDiagnostic(`Error saving JUnit XML to file "${path}"`, detail)];
  }
}
