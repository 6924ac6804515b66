import type {
  RemoteRun,
  TerraformPolicyEvaluation,
  TerraformPolicyOutcome,
  TerraformPolicySet,
} from '@terrane/backends';
import { quoteText } from '@terrane/cty';
import { type RemoteContext, RULE } from './remote-context.ts';

/** A stage of a run at which Terraform policies are evaluated. */
export type PolicyStage = 'Init' | 'Plan' | 'Apply';

const STAGE_NAMES: Readonly<Record<string, string>> = {
  Init: 'Pre-plan',
  Plan: 'Plan',
  Apply: 'Apply',
};

/** Shows the results of Terraform policies at some stages of a run, if any were evaluated. */
export async function showTerraformPolicies(
  context: RemoteContext,
  run: RemoteRun,
  stages: readonly PolicyStage[],
): Promise<void> {
  if (!context.isCloud) return;
  const { server } = context;
  const isShown = ({ status, stage }: TerraformPolicyEvaluation): boolean =>
    status !== 'unreachable' && stages.some((each) => each === stage);
  const evaluations = (await evaluationsOf(context, run)).filter(isShown);
  const results: (readonly [TerraformPolicyEvaluation, readonly TerraformPolicySet[]])[] = [];
  for (const evaluation of evaluations) {
    const sets = await context.ask(
      'Failed to retrieve Terraform policy outcomes',
      server.terraformPolicySets(evaluation.id),
    );
    results.push([evaluation, sets]);
  }
  if (results.length === 0) return;
  const total = results.flatMap(([, sets]) => outcomesOf(sets)).length;
  const isPassed = evaluations.every(({ status }) => status === 'passed');
  context.line(`\n${RULE}\n`);
  context.line('[bold]Terraform policy Evaluations\n');
  context.line(`[bold]→→ Overall result : ${isPassed ? '[green]PASSED' : '[red]FAILED'}`);
  context.line(
    isPassed
      ? '[dim]This means that all Terraform policies passed.'
      : '[dim]This means that one or more Terraform policies failed.',
  );
  context.line(`\n${total} policies evaluated\n`);
  for (const [evaluation, sets] of results) showStage(context, evaluation, sets);
}

/** The evaluations of a run; older servers have none. */
async function evaluationsOf(
  context: RemoteContext,
  run: RemoteRun,
): Promise<readonly TerraformPolicyEvaluation[]> {
  const request = async (): Promise<readonly TerraformPolicyEvaluation[]> => {
    try {
      return await context.server.terraformPolicyEvaluations(run.id);
    } catch (error) {
      const isOld = error instanceof Error && error.message.endsWith('Invalid include parameter');
      if (isOld) return [];
      throw error;
    }
  };
  return await context.ask('Failed to retrieve Terraform policy evaluations', request());
}

function showStage(
  context: RemoteContext,
  { status, stage }: TerraformPolicyEvaluation,
  sets: readonly TerraformPolicySet[],
): void {
  const result = status === 'passed' ? '[green]PASSED' : `[red]${status.toUpperCase()}`;
  context.line(`[bold]${STAGE_NAMES[stage] ?? stage} stage: ${result}`);
  context.line(`[dim]${countsOf(outcomesOf(sets))}`);
  for (const [index, { name, outcomes }] of sets.entries()) {
    context.line(`  → Policy set ${index + 1}: [bold]${name}`);
    for (const outcome of outcomes) {
      const locationText = outcome.file === '' ? '' : `[reset] in ${outcome.file}`;
      context.line(`    → Policy name: [bold]${quoteText(outcome.name)}${locationText}`);
      context.line(`      → Result: ${resultOf(outcome)}`);
    }
  }
}

function outcomesOf(sets: readonly TerraformPolicySet[]): readonly TerraformPolicyOutcome[] {
  return sets.flatMap(({ outcomes }) => outcomes);
}

/** The numbers of outcomes by kind, such as "3 total, 2 passed, 1 failed, 0 unknown". */
function countsOf(outcomes: readonly TerraformPolicyOutcome[]): string {
  const count = (kind: string): number => outcomes.filter((each) => kindOf(each) === kind).length;
  const [advisory, errored] = [count('advisory'), count('errored')];
  return [
    `${outcomes.length} total`,
    `${count('passed')} passed`,
    `${count('failed')} failed`,
    ...(advisory > 0 ? [`${advisory} advisory`] : []),
    `${count('unknown')} unknown`,
    ...(errored > 0 ? [`${errored} errored`] : []),
  ].join(', ');
}

function kindOf({ status, isAdvisory }: TerraformPolicyOutcome): string {
  const kind = status.toLowerCase();
  return kind === 'failed' && isAdvisory ? 'advisory' : kind;
}

const RESULTS: Readonly<Record<string, string>> = {
  passed: '[green][bold]Passed',
  failed: '[red][bold]Failed',
  advisory: '[blue][bold]Advisory',
  unknown: '[yellow][bold]Unknown',
  errored: '[red][bold]Errored',
};

function resultOf(outcome: TerraformPolicyOutcome): string {
  return RESULTS[kindOf(outcome)] ?? `[bold]${outcome.status}`;
}
