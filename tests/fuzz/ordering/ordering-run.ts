import type { Plan, State } from '@terrane/engine';
import fc from 'fast-check';
import { errorsOf, TestProject } from '../../engine/harness.ts';
import type { Trouble } from '../../engine/test-provider.ts';
import { shrunkFault } from '../shrunk-fault.ts';
import {
  edited,
  filesOf,
  firstModel,
  type Model,
  type Round,
  rounds,
} from './random-configurations.ts';
import { outcomeProblems, referenceOutcome } from './reference-model.ts';
import { dependencyProblems, inventoryProblems, orderProblems } from './run-rules.ts';

/** A configuration, what it is edited to, and which of the calls fail, one at a time. */
interface Pair {
  readonly first: Model;
  readonly rounds: readonly Round[];
  readonly failures: readonly { readonly at: number; readonly trouble: Trouble }[];
}

const pairs: fc.Arbitrary<Pair> = fc.record({
  first: firstModel,
  rounds,
  failures: fc.array(
    fc.record({ at: fc.nat(25), trouble: fc.constantFrom<Trouble>('refuse', 'partial') }),
    { maxLength: 3 },
  ),
});

/** Returns the violations in the run of a seed; undefined if there are none. */
export async function orderingFault(seed: number): Promise<string | undefined> {
  return await shrunkFault(pairs, seed, orderingProblems);
}

/** Applies configurations one after the other, each also with calls that fail, and gives what is wrong. */
export async function orderingProblems(pair: Pair): Promise<readonly string[]> {
  const run = new OrderingRun();
  try {
    await run.go(pair);
  } catch (error) {
    if (!(error instanceof Wrong))
      run.problems.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  return run.problems.length === 0 ? [] : [...run.problems, ...run.log];
}

/** Ends a run in which something is wrong. */
class Wrong extends Error {}

/** A snapshot from which runs can be repeated. */
interface Moment {
  readonly state: State;
  readonly objects: TestProject['world']['objects'];
}

class OrderingRun {
  readonly problems: string[] = [];
  readonly log: string[] = [];
  readonly #project = new TestProject();

  async go({ first, rounds: edits, failures }: Pair): Promise<void> {
    this.#setPace(1);
    await this.#runComplete(first);
    let model = first;
    for (const round of edits) {
      model = edited(model, round);
      this.#setPace(round.pace);
      const moment = this.#moment();
      this.#project.write(filesOf(model));
      const plan = await this.#plan();
      for (const { at, trouble } of failures) {
        this.#restore(moment);
        this.log.push(`call ${at}: ${trouble}`);
        await this.#failing(model, plan, at, trouble);
        await this.#runComplete(model);
      }
      this.#restore(moment);
      await this.#runComplete(model);
    }
    this.#expect('destroying', errorsOf(await this.#project.apply({ mode: 'destroy' })));
    if (!this.#project.state.isEmpty || this.#project.world.objects.size > 0)
      this.#expect('destroying', ['something is left']);
  }

  /** Calls take some turns, so that they overlap in many ways. */
  #setPace(seed: number): void {
    let state = seed + 1;
    this.#project.world.delay = async () => {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      for (let turns = (state >>> 8) % 40; turns > 0; turns--) await Promise.resolve();
    };
  }

  #moment(): Moment {
    return { state: this.#project.state, objects: new Map(this.#project.world.objects) };
  }

  #restore({ state, objects }: Moment): void {
    const { world } = this.#project;
    this.#project.state = state;
    world.objects.clear();
    for (const [id, object] of objects) world.objects.set(id, object);
  }

  async #plan(): Promise<Plan> {
    const { plan, diagnostics } = await this.#project.plan();
    this.#expect('planning', errorsOf(diagnostics));
    if (plan === undefined) throw new Error('no plan');
    return plan;
  }

  /** One call fails. The others are in order, and what exists is known. */
  async #failing(model: Model, plan: Plan, at: number, trouble: Trouble): Promise<void> {
    const { world } = this.#project;
    let calls = 0;
    world.trouble = () => (calls++ === at ? trouble : undefined);
    const errors = errorsOf(await this.#follow(model, plan));
    world.trouble = () => undefined;
    this.#expect(
      'a call that fails',
      errors.filter((error) => !error.startsWith('Cannot ')),
    );
  }

  /** Nothing fails: it comes to what the reference says, by the calls that it says, and is settled then. */
  async #runComplete(model: Model): Promise<void> {
    this.#project.write(filesOf(model));
    const plan = await this.#plan();
    const before = this.#project.state;
    const outcome = referenceOutcome(before, model);
    this.#expect('applying', errorsOf(await this.#follow(model, plan)));
    const { state, world } = this.#project;
    this.#expect('the outcome', outcomeProblems(outcome, before, state));
    const calls = (action: string, of: 'id' | 'address'): string =>
      world.changes
        .flatMap((change) => (change.action === action ? change[of] : []))
        .sort()
        .join(' ');
    const { creates, updates, deletes } = outcome;
    this.#same('creates', calls('create', 'address'), creates);
    this.#same('updates', calls('update', 'address'), updates);
    this.#same('deletes', calls('delete', 'id'), deletes);
    const { lines, plan: second } = await this.#project.plan();
    this.#expect('a second plan', lines);
    if (second?.applyable !== false) this.#expect('a second plan', ['it can be applied']);
    this.#expect('dependencies', dependencyProblems(model, state));
  }

  async #follow(model: Model, plan: Plan) {
    const { world } = this.#project;
    world.changes.length = 0;
    const diagnostics = await this.#project.follow(plan);
    this.log.push(
      ...world.changes.map(
        (change) =>
          `  ${change.action} ${change.address} ${change.id}${change.failed ? ' failed' : ''}`,
      ),
    );
    this.#expect('order', orderProblems({ model, plan, changes: [...world.changes] }));
    this.#expect('inventory', inventoryProblems(this.#project.state, world));
    return diagnostics;
  }

  #same(what: string, actual: string, expected: readonly string[]): void {
    const text = [...expected].sort().join(' ');
    if (actual !== text) this.#expect(what, [`are ${actual}, not ${text}`]);
  }

  /** Nothing is wrong, or the run ends here. */
  #expect(what: string, problems: readonly string[]): void {
    if (problems.length === 0) return;
    this.problems.push(...problems.map((problem) => `${what}: ${problem}`));
    this.log.push(this.#project.text);
    throw new Wrong();
  }
}
