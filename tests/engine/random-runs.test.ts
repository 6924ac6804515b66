import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { errorsOf, TestProject } from './harness.ts';
import { throughFile } from './plan-file-rules.ts';
import { edited, filesOf, type Faults, histories, type Model } from './random-configurations.ts';
import { type Applied, dependencyProblems, inventoryProblems, orderProblems } from './run-rules.ts';

/** More runs find more: the environment may ask for them. */
const RUNS = Number(process.env['RANDOM_RUNS'] ?? 120);
const SEED = Number(process.env['RANDOM_SEED'] ?? 20250101);

/** Calls take a turn or a few of the event loop, so that they overlap in many ways. */
function setPace(project: TestProject, seed: number): void {
  let state = seed + 1;
  project.world.delay = async () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    for (let turns = state % 7; turns > 0; turns--)
      await new Promise((resolve) => setImmediate(resolve));
  };
}

function setFaults(project: TestProject, faults: Faults): void {
  project.world.trouble = (action, name, address) =>
    faults.find(
      (one) =>
        one.action === action && name.startsWith(`s${one.slot}`) && address.endsWith(one.end),
    )?.trouble;
}

/** Plans and applies, and looks at what was done. */
async function applyModel(
  project: TestProject,
  model: Model,
): Promise<{ readonly errors: readonly string[] }> {
  project.write(filesOf(model));
  const { plan, diagnostics } = await project.plan();
  expect(errorsOf(diagnostics)).toEqual([]);
  if (plan === undefined) throw new Error('no plan');
  project.world.changes.length = 0;
  const found = await project.follow(throughFile(plan));
  const applied: Applied = { model, plan, changes: [...project.world.changes] };
  expect(orderProblems(applied)).toEqual([]);
  expect(inventoryProblems(project.state, project.world)).toEqual([]);
  return { errors: errorsOf(found) };
}

async function settles(project: TestProject, model: Model): Promise<void> {
  setFaults(project, []);
  expect((await applyModel(project, model)).errors).toEqual([]);
  const { lines, plan } = await project.plan();
  expect(lines).toEqual([]);
  expect(plan?.applyable).toBe(false);
  expect(dependencyProblems(model, project.state)).toEqual([]);
}

describe('random configurations, edited and applied with failures', () => {
  it('are applied in order, forget nothing, and settle once nothing fails', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async ({ first, rounds }) => {
        const project = new TestProject();
        setPace(project, 0);
        let model = first;
        expect((await applyModel(project, model)).errors).toEqual([]);
        for (const round of rounds) {
          setPace(project, round.pace);
          setFaults(project, round.faults);
          model = edited(model, round);
          const { errors } = await applyModel(project, model);
          expect(errors.every((error) => error.startsWith('Cannot '))).toBe(true);
        }
        await settles(project, model);
        expect(errorsOf(await project.apply({ mode: 'destroy' }))).toEqual([]);
        expect(project.state.isEmpty).toBe(true);
        expect(project.world.objects.size).toBe(0);
      }),
      { numRuns: RUNS, seed: SEED, endOnFailure: false },
    );
  }, 600_000);
});
