import type { Path } from '@terrane/cty';
import type { Plan, PlannedChange } from '@terrane/engine';
import { planText } from '@terrane/render';
import { mismatch, type ExpectedAttributes } from './expected.ts';
import { AcceptanceFailure } from './failure.ts';
import { plainValue } from './plain-value.ts';
import type { ExpectedAction, ExpectedChange, ExpectedPlan } from './test-case.ts';

/** Throws if a plan is not as expected. `planName` names the plan in the message. */
export function checkPlan(planName: string, plan: Plan, expected: ExpectedPlan): void {
  const problem = problemOf(plan, expected);
  if (problem === undefined) return;
  const text = planText(plan, { color: false, width: 100, automation: true }).trim();
  throw new AcceptanceFailure(`${planName}: ${problem}\n\n${text}`);
}

function problemOf(plan: Plan, expected: ExpectedPlan): string | undefined {
  const changing = plan.changes.filter(isChange);
  const outputs = plan.outputs.filter(({ action }) => action !== 'no-op');
  if (expected === 'empty') {
    const names = [...changing.map(({ addr }) => addr.text), ...outputs.map(({ name }) => name)];
    return names.length === 0
      ? undefined
      : `it should change nothing, but changes ${names.join(', ')}`;
  }
  if (expected === 'changes') {
    return changing.length + outputs.length > 0 ? undefined : 'it should change something';
  }
  const unmatched = new Map(changing.map((change) => [nameOf(change), change]));
  for (const [address, wanted] of Object.entries(expected)) {
    const change = plan.changes.find((each) => nameOf(each) === address);
    unmatched.delete(address);
    const problem = changeProblem(change, wanted);
    if (problem !== undefined) return `${address} ${problem}`;
  }
  const unexpected = [...unmatched].map(([address, { action }]) => `${address} (${action})`);
  return unexpected.length === 0 ? undefined : `it also changes ${unexpected.join(', ')}`;
}

/** Returns true for changes other than no-ops and reads of data sources. */
function isChange({ action }: PlannedChange): boolean {
  return action !== 'no-op' && action !== 'read';
}

/** Returns the address of a change, with the key of a deposed object. */
function nameOf({ addr, deposed }: PlannedChange): string {
  return deposed === undefined ? addr.text : `${addr.text} (deposed)`;
}

/** Returns the difference between the change of an object and the expected change; undefined if they match. */
export function changeProblem(
  change: PlannedChange | undefined,
  wanted: ExpectedAction | ExpectedChange,
): string | undefined {
  const expected: ExpectedChange = typeof wanted === 'string' ? { action: wanted } : wanted;
  if (change === undefined) {
    return expected.action === 'no-op'
      ? 'is not in the plan'
      : `should have the action ${expected.action}, but is not in the plan`;
  }
  const hasExpectedAction =
    change.action === expected.action ||
    (expected.action === 'replace' &&
      (change.action === 'delete-then-create' || change.action === 'create-then-delete'));
  if (!hasExpectedAction)
    return `should have the action ${expected.action}, but has ${change.action}`;
  return (
    sideProblem('before', change.before, expected.before) ??
    sideProblem('after', change.after, expected.after) ??
    replacedByProblem(change, expected.replacedBy)
  );
}

function sideProblem(
  side: 'before' | 'after',
  value: PlannedChange['before'],
  expected: ExpectedAttributes | undefined,
): string | undefined {
  if (expected === undefined) return undefined;
  const difference = mismatch(expected, plainValue(value), '');
  return difference === undefined
    ? undefined
    : `is not as expected ${side} the change: ${difference}`;
}

function replacedByProblem(
  change: PlannedChange,
  expected: readonly string[] | undefined,
): string | undefined {
  if (expected === undefined) return undefined;
  const actual = change.requiredReplace.map((path) => attributePath(path)).sort();
  const wanted = [...expected].sort();
  return actual.join(', ') === wanted.join(', ')
    ? undefined
    : `is replaced because of [${actual.join(', ')}], expected [${wanted.join(', ')}]`;
}

/** Formats a path, such as `tags.env` or `disks.0.size`. */
export function attributePath(path: Path): string {
  return path
    .map((step) => (step.kind === 'attr' ? step.name : String(plainValue(step.key))))
    .join('.');
}
