import { hasErrors } from '@terrane/hcl';
import { explainPlan, plan } from '@terrane/ops';
import type { CommandContext } from '../../command.ts';
import type { PlanFlags } from './flags.ts';
import { jsonInto } from '../../views/json-into.ts';
import { operationView } from '../../views/operation-view.ts';
import { inputAllowed, runOperation } from '../../run/operation.ts';
import { runPolicies } from '../../run/policies.ts';
import {
  operationArguments,
  redactedProblems,
  summaryInJson,
  tooManyArguments,
  withSnapshot,
} from '../../run/operation-arguments.ts';

/** Plans and shows the plan; exit code 2 for changes if requested. */
export async function runPlan(parsed: PlanFlags, context: CommandContext): Promise<number> {
  const { values, rest } = parsed;
  const into = jsonInto(values, context);
  const view = operationView(context, values.json, { summary: values.summary }, into.world);
  const { request, diagnostics: argumentProblems } = await operationArguments(parsed, context);
  const problems = [...argumentProblems, ...into.problems, ...redactedProblems(values)];
  if (rest.length > 0) {
    problems.push(
      tooManyArguments('To specify a working directory for the plan, use the global -chdir flag.'),
    );
  }
  if (values.summary && values.json) problems.push(summaryInJson());
  if (hasErrors(problems)) {
    view.diagnostics(problems);
    view.helpPrompt('plan');
    return 1;
  }
  view.diagnostics(problems);
  const generatedTo = values['generate-config-out'];
  const planRequest = {
    ...withSnapshot(request, parsed),
    ...(generatedTo === '' ? {} : { generateConfigOut: generatedTo }),
  };
  const input = inputAllowed(context, values.input && !values.json);
  return await runOperation(context, view, { input, color: view.color }, async (project, ports) => {
    const policies = await runPolicies(values, project, ports.signal);
    view.diagnostics(policies.diagnostics);
    if (hasErrors(policies.diagnostics)) return 1;
    const planPorts = { ...ports, ...policies.ports };
    const { result, diagnostics, remote } = await plan(project, planRequest, planPorts, values.out);
    if (remote !== undefined) {
      view.diagnostics(diagnostics);
      const generated = generatedTo === '' ? undefined : generatedTo;
      if (remote.hasNextStep) view.nextStep(values.out === '' ? undefined : values.out, generated);
      if (remote.hasFailed) return 1;
      return values['detailed-exitcode'] && !remote.isEmpty ? 2 : 0;
    }
    if (result !== undefined) await view.plan(result.plan);
    if (result !== undefined && values.explain) {
      const explained = await explainPlan(project, result.plan);
      view.explanations(explained.result ?? []);
    }
    if (result !== undefined) await policies.show(view);
    const unwritten = await policies.write(project);
    view.diagnostics([...diagnostics, ...unwritten]);
    const changes = result?.plan.applyable === true;
    if (changes) {
      const generatedPath = result.generatedConfig === true ? generatedTo : undefined;
      view.nextStep(values.out === '' ? undefined : values.out, generatedPath);
    }
    if (hasErrors(diagnostics) || unwritten.length > 0) return 1;
    return values['detailed-exitcode'] && changes ? 2 : 0;
  });
}
