import { type Cause, type Explanation, openExplainer, type Plan } from '@terrane/engine';
import { hasErrors } from '@terrane/hcl';
import { planJson, type Secrets, secretsOf } from '@terrane/render';
import { functionPorts } from './load-project.ts';
import type { Outcome } from './locked-state.ts';
import { plan } from './plan.ts';
import type { PlanRequest } from './plan-request.ts';
import { type Project, workingDirectoryOf } from './project.ts';
import type { RunPorts } from './run-ports.ts';
import { tryOpenPlan } from './saved-plan.ts';
import { selectedWorkspace } from './workspace.ts';

/** The subject of an explanation. */
export interface ExplainRequest {
  /**
   * An instance, a resource, a module, an attribute of an instance, `output.x` or an action, as shown in the plan;
   * undefined: all changes of the plan.
   */
  readonly address?: string;
  /** without an address, also explains unchanged objects */
  readonly unchanged?: boolean;
  /** the path of a saved plan, or the request to create one, which is not saved */
  readonly plan: string | PlanRequest;
}

/** Explains a plan, which is read from a file or created temporarily. */
export async function explain(
  project: Project,
  request: ExplainRequest,
  ports: RunPorts,
): Promise<Outcome<readonly Explanation[]>> {
  const { address } = request;
  const opened =
    typeof request.plan === 'string'
      ? await savedPlan(project, request.plan)
      : await newPlan(project, request.plan, ports);
  const planResult = opened.result;
  if (planResult === undefined || hasErrors(opened.diagnostics))
    return { diagnostics: opened.diagnostics };
  const explained = await explainPlan(project, planResult, address, request.unchanged);
  const diagnostics = [...opened.diagnostics, ...explained.diagnostics];
  return explained.result === undefined
    ? { diagnostics }
    : { result: explained.result, diagnostics };
}

/** Explains an existing plan. Copies of sensitive values of the plan are marked as sensitive in the causes. */
export async function explainPlan(
  project: Project,
  plan: Plan,
  address?: string,
  unchanged = false,
): Promise<Outcome<readonly Explanation[]>> {
  const explainer = await openExplainer(plan, {
    functions: functionPorts(project),
    workspace: (await selectedWorkspace(project)).name,
    cwd: workingDirectoryOf(project),
  });
  const { explanations, diagnostics } =
    address === undefined
      ? { explanations: await explainer.all(unchanged), diagnostics: [] }
      : await explainer.explain(address);
  if (hasErrors(diagnostics)) return { diagnostics };
  return { result: withMarkedCopies(explanations, secretsOf(planJson(plan))), diagnostics };
}

function withMarkedCopies(
  explanations: readonly Explanation[],
  secrets: Secrets,
): readonly Explanation[] {
  if (secrets.isEmpty) return explanations;
  /** causes that several explanations share stay shared */
  const known = new Map<Cause, Cause>();
  const marked = (causes: readonly Cause[]): readonly Cause[] =>
    causes.map((cause) => {
      const existing = known.get(cause);
      if (existing !== undefined) return existing;
      const result: Cause = {
        ...cause,
        ...(cause.before === undefined ? {} : { before: secrets.marked(cause.before) }),
        ...(cause.after === undefined ? {} : { after: secrets.marked(cause.after) }),
        causes: marked(cause.causes),
      };
      known.set(cause, result);
      return result;
    });
  return explanations.map((explanation) => ({
    ...explanation,
    causes: marked(explanation.causes),
    unknown: explanation.unknown.map((entry) => ({ ...entry, causes: marked(entry.causes) })),
  }));
}

async function newPlan(
  project: Project,
  request: PlanRequest,
  ports: RunPorts,
): Promise<Outcome<Plan>> {
  const { result, diagnostics } = await plan(project, request, ports);
  return result === undefined ? { diagnostics } : { result: result.plan, diagnostics };
}

async function savedPlan(project: Project, path: string): Promise<Outcome<Plan>> {
  const { result, diagnostics } = await tryOpenPlan(project, path);
  if (result === undefined) return { diagnostics };
  await result.providers.close();
  return { result: result.plan, diagnostics };
}
