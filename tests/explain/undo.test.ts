import { type Plan, StateDraft, type State } from '@terrane/engine';
import { describe, expect, it } from 'vitest';
import { CHANGES } from './changes.ts';
import { applied, type Change, explained, planned } from './project.ts';
import { randomChange } from './random-changes.ts';
import { CANNOT, leavesOf, undo } from './undo.ts';

/** Returns the action of an address in a plan; "no-op" if it has none. */
function actionIn(plan: Plan, address: string): string {
  const output = plan.outputs.find(({ name }) => `output.${name}` === address);
  if (output !== undefined) return output.action;
  return plan.changes.find(({ addr }) => addr.text === address)?.action ?? 'no-op';
}

function untainted(state: State): State {
  const draft = new StateDraft(state);
  for (const addr of state.managedInstances()) {
    const object = state.instance(addr)?.current;
    if (object !== undefined)
      draft.apply({ kind: 'put', addr, object: { ...object, status: 'ready' } });
  }
  return draft.freeze();
}

/** Returns the defects of the explanations of a change; none if each names a cause to undo. */
async function problemsOf(change: Change): Promise<readonly string[]> {
  const project = await applied({ ...change, outside: () => undefined });
  const world = new Map(project.world.objects);
  change.outside?.(project);
  const outside = new Map(project.world.objects);
  const { state } = project;
  const plan = await planned(project, change.after);
  const problems: string[] = [];
  for (const explanation of await explained(plan)) {
    const { address, action, causes, unknown } = explanation;
    if (leavesOf(causes).length === 0) problems.push(`${address}: no cause`);
    for (const part of unknown)
      if (leavesOf(part.causes).length === 0)
        problems.push(`${address}: no cause of what is unknown`);
    if (action === 'no-op') continue;
    const undoing = undo(explanation, change.before, change.after);
    if (typeof undoing === 'string') {
      problems.push(`${address}: ${undoing}`);
      continue;
    }
    project.state = undoing.tainted.length > 0 ? untainted(state) : state;
    project.world.objects.clear();
    for (const [id, object] of undoing.world ? world : outside)
      project.world.objects.set(id, object);
    const { files, choices } = undoing;
    const again = await planned(project, { files, choices });
    const remaining = actionIn(again, address);
    // The address no longer appears or disappears; its other changes have other causes.
    const isGone =
      action === 'create' || action === 'delete' ? remaining !== action : remaining === 'no-op';
    if (!isGone) problems.push(`${address}: ${action} is still ${remaining} without its causes`);
  }
  return problems;
}

describe('reverting the cause in an explanation removes the action', () => {
  it.each(CHANGES.map((change) => [change.name, change] as const))('%s', async (_name, change) => {
    expect(await problemsOf(change)).toEqual([]);
  });

  it('in random configurations with random changes', async () => {
    const failures: string[] = [];
    const count = Number(process.env['TERRANE_EXPLAIN_CHANGES'] ?? 60);
    for (let seed = 1; seed <= count; seed++) {
      const problems = await problemsOf(randomChange(seed));
      failures.push(...problems.map((problem) => `seed ${seed}: ${problem}`));
    }
    expect(failures).toEqual([]);
  }, 300_000);

  it('except for kinds whose reason is reported', () => {
    for (const reason of Object.values(CANNOT)) expect(reason).not.toBe('');
  });
});
