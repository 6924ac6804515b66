// A project in memory that is planned twice: as it was when it was applied, and as it is now.
import { type Explanation, openExplainer, type Plan, type State } from '@terrane/engine';
import { memoryHost } from '@terrane/testkit';
import { type RunChoices, TestProject } from '../engine/harness.ts';

/** A project at one time. */
export interface Moment {
  readonly files: Readonly<Record<string, string>>;
  readonly choices?: RunChoices;
  /** files of variables that options name */
  readonly variableFiles?: readonly string[];
}

/** A change between two runs, and what is done outside and to the state in between. */
export interface Change {
  readonly name: string;
  readonly before: Moment;
  readonly after: Moment;
  /** changes what exists */
  readonly outside?: (project: TestProject) => void;
  /** changes the state */
  readonly edit?: (state: State) => State;
}

/** A project that was applied, with what has happened since, and not been planned again. */
export async function applied(change: Change): Promise<TestProject> {
  const project = new TestProject();
  project.write(change.before.files);
  const diagnostics = await project.apply(change.before.choices);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new Error(`${change.name}: ${JSON.stringify(errors)}`);
  change.outside?.(project);
  if (change.edit !== undefined) project.state = change.edit(project.state);
  return project;
}

/** Plans a project as it is at a moment. */
export async function planned(project: TestProject, moment: Moment): Promise<Plan> {
  project.write(moment.files);
  const { plan, diagnostics } = await project.plan(moment.choices);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (plan === undefined || errors.length > 0) throw new Error(JSON.stringify(errors));
  return plan;
}

/** Returns the explanation of each of some addresses; without addresses, of all changes of the plan. */
export async function explained(
  plan: Plan,
  addresses?: readonly string[],
): Promise<readonly Explanation[]> {
  const settings = { functions: memoryHost({}), workspace: 'default', cwd: '/project' };
  const explainer = await openExplainer(plan, settings);
  if (addresses === undefined) return await explainer.all();
  const results: Explanation[] = [];
  for (const address of addresses) {
    const { explanations, diagnostics } = await explainer.explain(address);
    if (diagnostics.length > 0) throw new Error(JSON.stringify(diagnostics));
    results.push(...explanations);
  }
  return results;
}
