import { parseInstanceAddr } from '@terrane/addresses';
import {
  decodePlanFile,
  EMPTY_STATE,
  encodePlanFile,
  moveInState,
  type Plan,
  removeFromState,
  type State,
  taint,
  untaint,
} from '@terrane/engine';
import type { Diagnostic } from '@terrane/hcl';
import { edited, withoutFaults } from './edit-model.ts';
import { histories, type History, type Model, type Round, SLOTS } from './fuzz-model.ts';
import { FuzzProject, type PlanChoices, type Ran } from './fuzz-project.ts';
import { aimText, filesOf, instanceTexts, resourceTexts, straysOf } from './fuzz-text.ts';
import {
  callProblems,
  dependencyProblems,
  fileProblems,
  inventoryProblems,
  printed,
  secretProblems,
  storedIn,
} from './invariants.ts';
import { shrunkFault } from '../shrunk-fault.ts';

/** The errors that a run may report: injected faults, and mistakes of the user. */
const LAWFUL: readonly RegExp[] = [
  /^Cannot (?:validate|upgrade|read|plan|create|update|delete|lookup|import|move|open|find|provision)$/,
  /^Resource (?:pre|post)condition failed$/,
  /^(?:Instance|Resource instance) cannot be destroyed$/,
  /^Cannot import non-existent remote object$/,
  /^Plugin did not respond$/,
  /^Provider failed unexpectedly$/,
  /^execution halted$/,
  /^Moved resource instances excluded by targeting$/,
];

/** Returns the violations in the run of a seed; undefined if there are none. */
export async function lifecycleFault(seed: number): Promise<string | undefined> {
  return await shrunkFault(histories, seed, lifecycleProblems);
}

/** Runs a history and gives what is wrong with what came of it. */
export async function lifecycleProblems(history: History): Promise<readonly string[]> {
  const run = new LifecycleRun(history.first);
  try {
    await run.go(history.rounds);
  } catch (error) {
    if (!(error instanceof Wrong))
      run.problems.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  return run.problems.length === 0 ? [] : [...run.problems, ...run.log];
}

/** Ends a run in which something is wrong. */
class Wrong extends Error {}

class LifecycleRun {
  readonly problems: string[] = [];
  readonly log: string[] = [];
  readonly #project = new FuzzProject();
  #model: Model;
  #shown = '';
  #hasMoved = false;
  /** objects that exist without the state, lawfully */
  readonly #unmanaged = new Set<string>();
  /** every resource that there ever was */
  readonly #resources = new Set<string>();

  constructor(first: Model) {
    this.#model = first;
    for (let slot = 0; slot < SLOTS; slot++) {
      for (const id of straysOf(slot)) {
        this.#project.world.add({ id });
        this.#unmanaged.add(id);
      }
    }
  }

  async go(rounds: readonly Round[]): Promise<void> {
    await this.#begun();
    for (const round of rounds) await this.#round(round);
    await this.#settle();
    await this.#converged();
    await this.#destroyed();
  }

  async #round(round: Round): Promise<void> {
    const { world } = this.#project;
    this.#model = edited(this.#model, round);
    const faults = round.faults.map(({ slot, method, kind, after }) => ({
      method,
      kind,
      after,
      name: method === 'import' ? `stray-${slot}` : `s${slot}`,
    }));
    const deferrals = round.deferrals.map(({ slot, method }) => ({
      method,
      kind: 'defer' as const,
      after: 0,
      name: `s${slot}`,
    }));
    const { state } = await this.#project.read();
    this.#drift(round, state);
    if (round.upgrade) world.release++;
    world.begin([...faults, ...deferrals], round.pace);
    await this.#write(this.#model, state);
    switch (round.operation) {
      case 'taint':
      case 'untaint':
      case 'rm':
      case 'mv':
        return await this.#edit(round.operation, round.pick ?? 0);
      case 'import':
        return await this.#import(round.pick ?? 0);
      case 'generate':
        return await this.#generate(round.pick ?? 0);
      case 'plan':
        return void (await this.#plan(this.#choices(round, state)));
      case 'apply':
      case 'plan-file':
        return void (await this.#apply(this.#choices(round, state), round));
      case 'destroy':
      case 'refresh-only':
        return void (await this.#apply(
          { ...this.#choices(round, state), mode: round.operation, replace: [], refresh: true },
          round,
        ));
    }
  }

  #choices(round: Round, state: State): PlanChoices {
    const stored = storedIn(state);
    const picked =
      round.pick === undefined ? undefined : stored[round.pick % Math.max(1, stored.length)];
    return {
      mode: 'normal',
      refresh: round.refresh,
      allowDeferral: round.deferrals.length > 0,
      targets: round.targets.map((aim) => aimText(this.#model, aim)),
      excludes:
        round.targets.length > 0 ? [] : round.excludes.map((aim) => aimText(this.#model, aim)),
      aimFiles: round.aimFiles,
      replace: picked === undefined ? [] : [picked.address],
      parallelism: round.parallelism,
    };
  }

  #drift(round: Round, state: State): void {
    const { objects, ghosts } = this.#project.world;
    const stored = storedIn(state);
    for (const { pick, change } of round.drift) {
      const picked = stored[pick % Math.max(1, stored.length)];
      const object = picked === undefined ? undefined : objects.get(picked.id);
      if (object === undefined) continue;
      this.#say(`drift: ${change} of ${picked?.address} (${object.id})`);
      if (change === 'gone') {
        objects.delete(object.id);
        ghosts.add(object.id);
      } else if (change === 'size') objects.set(object.id, { ...object, size: object.size + 4 });
      else objects.set(object.id, { ...object, notes: { ...object.notes, a: 'outside' } });
    }
  }

  async #edit(operation: 'taint' | 'untaint' | 'rm' | 'mv', pick: number): Promise<void> {
    const { file, state } = await this.#project.read();
    const stored = storedIn(state).filter((object) => object.deposed === undefined);
    const picked = stored[pick % Math.max(1, stored.length)];
    const address = picked === undefined ? undefined : parseInstanceAddr(picked.address).address;
    if (picked === undefined || address === undefined) return;
    this.#say(`${operation} ${picked.address}`);
    let next: State | undefined;
    if (operation === 'rm') {
      next = removeFromState(state, [picked.address]).state;
      for (const other of storedIn(state))
        if (other.address === picked.address) this.#leave(other.id);
    } else if (operation === 'mv') {
      const free = instanceTexts(this.#model, pick % SLOTS).find(
        (text) => !stored.some((other) => other.address === text),
      );
      const [type] = picked.resource.split('.').slice(-2);
      const isSame = free?.includes(`${type}.`) === true;
      next = moveInState(state, picked.address, isSame ? free : `${type}.elsewhere`).from;
      this.#resources.add(`${type}.elsewhere`);
      this.#hasMoved = true;
    } else {
      next = (operation === 'taint' ? taint : untaint)(state, address).state;
    }
    if (next !== undefined) await this.#project.store(file, next);
    await this.#look(undefined, []);
  }

  /** An object goes on without being in the state. */
  #leave(id: string): void {
    this.#unmanaged.add(id);
    this.#project.world.declassify(id);
  }

  /** Takes a stray object into the state, as the command does. */
  async #import(pick: number): Promise<void> {
    const { file, state } = await this.#project.read();
    const slot = pick % SLOTS;
    const known = new Set(storedIn(state).map((object) => object.address));
    const address = instanceTexts(this.#model, slot).find((text) => !known.has(text));
    const strays = this.#strays(state);
    const id = straysOf(slot).find((stray) => strays.has(stray));
    if (address === undefined || id === undefined) return;
    const { plan, diagnostics } = await this.#plan({
      mode: 'refresh-only',
      refresh: false,
      adoption: { address, id },
    });
    if (plan === undefined || errorsOf(diagnostics).length > 0) return;
    await this.#project.store(file, plan.priorState);
    await this.#look(undefined, []);
    const after = storedIn((await this.#project.read()).state);
    if (!after.some((object) => object.address === address && object.id === id))
      this.#wrong(`${id} is not imported as ${address}`);
    if (after.length !== storedIn(state).length + 1) this.#wrong('something else is imported');
    this.#done();
  }

  /** Has configuration made for a stray object: with it, the object is adopted as it is. */
  async #generate(pick: number): Promise<void> {
    const { state } = await this.#project.read();
    const strays = this.#strays(state);
    const id = straysOf(pick % SLOTS).find((stray) => strays.has(stray));
    if (id === undefined) return;
    const address = 'test_thing.generated';
    const files = {
      ...filesOf(this.#model, new Set()),
      'adopted.tf': `import {\n  to = ${address}\n  id = "${id}"\n}`,
    };
    this.#project.write(files);
    const first = await this.#plan({ generate: true });
    const text = changeAt(first, address)?.generatedConfig;
    if (text === undefined) {
      if (errorsOf(first.diagnostics).length === 0) this.#wrong(`nothing is generated for ${id}`);
      return;
    }
    this.#say(text);
    this.#project.write({ ...files, 'generated.tf': text });
    const second = await this.#plan({});
    if (errorsOf(second.diagnostics).length > 0) return;
    const change = changeAt(second, address);
    if (change?.action !== 'no-op' || change.importing === undefined)
      this.#wrong(`${id} is not adopted as it is: ${change?.action ?? 'no change'}`);
    this.#done();
  }

  async #plan(choices: PlanChoices): Promise<Ran> {
    const { world } = this.#project;
    this.#say(`plan ${JSON.stringify(choices)}`);
    const ran = await this.#project.plan(choices);
    if (world.calls.length > 0) this.#wrong('planning changed something');
    if (world.opened !== 0)
      this.#wrong(`${world.opened} ephemeral objects stay open after planning`);
    this.#heed(ran);
    return ran;
  }

  async #apply(choices: PlanChoices, round?: Round): Promise<readonly Diagnostic[]> {
    const planned = await this.#plan(choices);
    if (
      planned.plan === undefined ||
      planned.plan.errored ||
      errorsOf(planned.diagnostics).length > 0
    )
      return planned.diagnostics;
    const plan = round?.operation === 'plan-file' ? this.#throughFile(planned.plan) : planned.plan;
    this.#say(
      ...plan.changes.map(
        (plannedChange) =>
          `  ${plannedChange.action} ${plannedChange.addr.text} ${plannedChange.deposed ?? ''} ${plannedChange.reason ?? ''}`,
      ),
    );
    for (const change of plan.changes) {
      if (!change.action.includes('forget')) continue;
      const { before } = change;
      // Unchanged objects continue to exist.
      if (!before.isNull) this.#leave(before.attr('id').asString());
    }
    const ran = await this.#project.follow(plan, {
      ...choices,
      crash: round?.crash,
      stop: round?.stop,
    });
    this.#say(`  ran${ran.crashed ? ', and the process ended' : ''}: ${this.#callsText()}`);
    this.#heed({ ...ran, plan: undefined });
    const { world } = this.#project;
    if (!ran.crashed && world.opened !== 0)
      this.#wrong(`${world.opened} ephemeral objects stay open`);
    await this.#look(ran, storedIn(plan.priorState));
    return ran.diagnostics;
  }

  #callsText(): string {
    const calls = this.#project.world.calls;
    return calls
      .map((call) => `${call.action} ${call.address} ${call.id}${call.failed ? ' failed' : ''}`)
      .join(', ');
  }

  #throughFile(plan: Plan): Plan {
    const origin = { workspace: 'default', backend: 'local', lineage: 'l', serial: 1 };
    const bytes = encodePlanFile(plan, origin);
    const decoded: Plan = { ...plan, ...decodePlanFile(bytes).plan };
    if (Buffer.compare(encodePlanFile(decoded, origin), bytes) !== 0)
      this.#wrong('the plan is written differently after it was read');
    return decoded;
  }

  /** Verifies that the output is permitted and contains no secrets. */
  #heed({ diagnostics, plan, events }: Ran): void {
    for (const error of errorsOf(diagnostics)) {
      this.#say(`  error: ${error.summary}: ${error.detail.slice(0, 300)} ${error.address ?? ''}`);
      if (!LAWFUL.some((text) => text.test(error.summary)))
        this.#wrong(`unlawful error: ${error.summary}: ${error.detail}`);
    }
    const shown = printed(plan, diagnostics, events);
    this.#wrong(...secretProblems(shown, plan, plan?.priorState ?? EMPTY_STATE));
  }

  /** The state after a run. */
  async #look(ran: Ran | undefined, before: ReturnType<typeof storedIn>): Promise<void> {
    const { world } = this.#project;
    const { file, state, diagnostics } = await this.#project.read();
    for (const error of errorsOf(diagnostics))
      this.#wrong(`the state cannot be read: ${error.detail}`);
    if (ran !== undefined) this.#wrong(...callProblems(world.calls, before));
    const ghosts = new Set(world.ghosts);
    const unmanaged = new Set([...this.#unmanaged, ...world.lost]);
    const stored = storedIn(state);
    if (ran?.crashed === true) {
      // An operation in progress when the process ended may have taken effect; the next run is informed.
      const interrupted = new Set(
        diagnostics
          .filter((diagnostic) => diagnostic.summary === 'Interrupted operation')
          .map((diagnostic) => diagnostic.address),
      );
      for (const call of world.calls) {
        if (!interrupted.has(call.address)) continue;
        if (call.action === 'create' && !stored.some((object) => object.id === call.id))
          this.#unmanaged.add(call.id);
        if (call.action === 'delete') world.ghosts.add(call.id);
        unmanaged.add(call.id);
        ghosts.add(call.id);
      }
    }
    this.#say(
      ...stored.map(
        (object) =>
          `    ${object.address} ${object.deposed ?? ''} ${object.id} ${object.object.status} [${object.object.dependencies.join()}]`,
      ),
    );
    if (file !== undefined) this.#wrong(...fileProblems(file));
    for (const object of stored) this.#resources.add(object.resource);
    this.#wrong(
      ...inventoryProblems(stored, world, { unmanaged, ghosts }),
      // An object that was moved by a command may depend on its new address.
      ...dependencyProblems(stored, this.#resources, !this.#hasMoved),
    );
    this.#done();
  }

  async #write(model: Model, state: State): Promise<void> {
    for (const resource of resourceTexts(model)) this.#resources.add(resource);
    const { release } = this.#project.world;
    this.#project.write(filesOf(model, this.#strays(state), release > 0));
    const { text } = this.#project;
    if (text !== this.#shown) this.#say(text);
    this.#shown = text;
    for (const error of errorsOf(await this.#project.problems()))
      this.#wrong(`the configuration is refused: ${error.summary}: ${error.detail}`);
    this.#done();
  }

  /** The stray objects that exist and are nobody's. */
  #strays(state: State): ReadonlySet<string> {
    const known = new Set(storedIn(state).map((object) => object.id));
    const all = Array.from({ length: SLOTS }, (_, slot) => straysOf(slot)).flat();
    return new Set(all.filter((id) => this.#project.world.objects.has(id) && !known.has(id)));
  }

  /** Applies without anything that fails. */
  async #begun(): Promise<void> {
    this.#project.world.begin([], 3);
    const { state } = await this.#project.read();
    this.#model = withoutFaults(this.#model, this.#strays(state));
    await this.#write(this.#model, state);
    for (const error of errorsOf(await this.#apply({})))
      this.#wrong(`without faults: ${error.summary}: ${error.detail}`);
    this.#done();
  }

  /** Once nothing fails, nothing is left to do. */
  async #settle(): Promise<void> {
    await this.#begun();
    this.#project.world.begin([], 4);
    const { plan } = await this.#plan({});
    if (plan === undefined) this.#wrong('no second plan');
    for (const change of plan?.changes ?? [])
      if (change.action !== 'no-op' && change.reason !== 'read_because_check_nested')
        this.#wrong(`not settled: ${change.action} ${change.addr.text} ${change.reason ?? ''}`);
    for (const change of plan?.outputs ?? [])
      if (change.action !== 'no-op')
        this.#wrong(`not settled: ${change.action} output ${change.name}`);
    this.#done();
  }

  /** The state holds what the configuration says, and nothing else. */
  async #converged(): Promise<void> {
    const { state } = await this.#project.read();
    const stored = storedIn(state);
    const actual = stored.map(
      (object) => `${object.address} ${object.deposed ?? object.object.status}`,
    );
    const wanted = Array.from({ length: SLOTS }, (_, slot) => instanceTexts(this.#model, slot));
    const expected = wanted.flat().map((text) => `${text} ready`);
    for (const line of expected)
      if (!actual.includes(line)) this.#wrong(`${line} is missing at the end`);
    for (const line of actual)
      if (!expected.includes(line)) this.#wrong(`${line} is there at the end`);
    this.#done();
  }

  async #destroyed(): Promise<void> {
    this.#project.world.begin([], 5);
    for (const error of errorsOf(await this.#apply({ mode: 'destroy' })))
      this.#wrong(`destroying: ${error.summary}: ${error.detail}`);
    const { state } = await this.#project.read();
    for (const object of storedIn(state))
      this.#wrong(`${object.address} is still there after all is destroyed`);
    this.#done();
  }

  #say(...lines: readonly string[]): void {
    this.log.push(...lines);
  }

  #wrong(...problems: readonly string[]): void {
    this.problems.push(...problems);
  }

  /** Ends the run where something is wrong. */
  #done(): void {
    if (this.problems.length > 0) throw new Wrong();
  }
}

function changeAt({ plan }: Ran, address: string): Plan['changes'][number] | undefined {
  return plan?.changes.find(({ addr }) => addr.text === address);
}

function errorsOf(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.filter((diagnostic) => diagnostic.severity === 'error');
}
