import {
  applyUndo,
  type ClassifiedAction,
  historyObserver,
  openHistory,
  planUndo,
  type UndoReport,
} from '@terrane/history';
import { type Diagnostic, hasErrors } from '@terrane/hcl';
import { apply, openProject, type Project, readState, recoverState, SILENT } from '@terrane/ops';
import {
  END_WITHIN,
  type Fault,
  ManualClock,
  MemoryDisk,
  memoryHost,
  ProcessEnded,
  seededRandom,
} from '@terrane/testkit';
import { ALREADY_EXISTS, CRASH_PROVIDER, type CrashObject, CrashWorld } from './crash-world.ts';

/** The result of one random history. */
export interface HistoryOutcome {
  /** true: all actions were reversible, and the world is as it was */
  readonly isExact: boolean;
  readonly killedApply: boolean;
  readonly killedUndo: boolean;
  readonly actions: Readonly<Record<ClassifiedAction['class'], number>>;
  readonly problems: readonly string[];
}

/** Numbers from a seed. */
class Choices {
  readonly #random: ReturnType<typeof seededRandom>;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  /** A whole number from 0 up to, and without, a limit. */
  below(limit: number): number {
    const [a = 0, b = 0] = this.#random.bytes(2);
    return Math.floor(((a * 256 + b) / 65_536) * limit);
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }
}

const TYPES = ['thing', 'named', 'keyed'];
const NAMES = ['a', 'b', 'c', 'd', 'e'];

/** A random configuration: objects with arguments that are updated or replaced, references and lifecycle rules. */
function randomText(choices: Choices): string {
  const blocks: string[] = [];
  const declared: string[] = [];
  for (const name of NAMES) {
    if (choices.chance(35)) continue;
    const type = TYPES[choices.below(TYPES.length)] ?? 'thing';
    const lines = [`  name = "${name}"`, `  kind = "${choices.below(2)}"`];
    if (choices.chance(60)) lines.push(`  size = ${choices.below(3)}`);
    if (choices.chance(30)) lines.push(`  secret = "secret-${choices.below(3)}"`);
    if (choices.chance(30)) lines.push('  lifecycle {\n    create_before_destroy = true\n  }');
    const other = declared[choices.below(declared.length)];
    if (other !== undefined && choices.chance(40)) lines.push(`  depends_on = [${other}]`);
    declared.push(`crash_${type}.${name}`);
    blocks.push(`resource "crash_${type}" "${name}" {\n${lines.join('\n')}\n}\n`);
  }
  if (choices.chance(30))
    blocks.push(
      `resource "crash_thing" "many" {\n  count = ${choices.below(4)}\n  name  = "many\${count.index}"\n  kind  = "0"\n}\n`,
    );
  return blocks.length === 0 ? '# nothing\n' : blocks.join('');
}

let lastPid = 20_000;

/** A machine with a configuration, its history, and what exists. */
class Machine {
  disk: MemoryDisk;
  readonly world: CrashWorld;
  readonly clock: ManualClock = new ManualClock();
  readonly #seed: number;

  constructor(seed: number) {
    this.disk = new MemoryDisk();
    this.world = new CrashWorld();
    this.#seed = seed;
  }

  /** A process; it ends at the moment with this number, of the disk or the provider. */
  start(endsAt = Infinity): { readonly project: Project; readonly isEnded: () => boolean } {
    let moment = 0;
    const fault: Fault = ({ kind }) =>
      kind !== 'read' && moment++ === endsAt ? END_WITHIN : undefined;
    const pid = ++lastPid;
    const host = memoryHost({
      disk: this.disk,
      fault,
      pid,
      seed: this.#seed + pid,
      clock: this.clock,
    });
    const create = () =>
      this.world.provider(() => {
        if (host.files.ended) throw new ProcessEnded();
        if (moment++ !== endsAt) return;
        host.files.end();
        throw new ProcessEnded();
      });
    const providers = new Map([[CRASH_PROVIDER, { kind: 'in-process', create } as const]]);
    const project = openProject(host, { providers, observer: historyObserver() });
    return { project, isEnded: () => host.files.ended };
  }

  async write(text: string): Promise<void> {
    await memoryHost({ disk: this.disk }).files.replaceFile('/project/main.tf', text);
  }
}

const REQUEST = {
  state: { lock: true, lockTimeoutMs: 0 },
  variables: [],
  parallelism: 4,
  refresh: true,
  targets: [],
  targetTexts: [],
  replace: [],
} as const;
const PORTS = { ...SILENT, showPlan: () => {}, showDiagnostics: () => {} };

/** Runs an operation in a process; false if that ended before. */
async function survives(
  machine: Machine,
  { project, isEnded }: ReturnType<Machine['start']>,
  work: (project: Project) => Promise<unknown>,
): Promise<boolean> {
  try {
    await work(project);
  } catch (error) {
    const why = error instanceof Error ? (error.cause ?? error) : error;
    if (!(why instanceof ProcessEnded)) throw error;
  }
  // The files that the process has written exist; its locks do not.
  if (isEnded()) machine.disk = machine.disk.survive('everything');
  return !isEnded();
}

/** Applies random configurations and undoes a run, with kills, and compares the world with what it was. */
export async function undoRandomHistory(seed: number, kills: boolean): Promise<HistoryOutcome> {
  const choices = new Choices(seed);
  const machine = new Machine(seed);
  const worlds: ReadonlyMap<string, CrashObject>[] = [];
  const runs = 1 + choices.below(3);
  let killedApply = false;
  for (let run = 0; run < runs; run++) {
    await machine.write(randomText(choices));
    worlds.push(objectsOf(machine.world));
    if (choices.chance(15))
      machine.world.failing.set(
        NAMES[choices.below(NAMES.length)] ?? 'a',
        choices.chance(50) ? 'refuse' : 'partial',
      );
    const isLast = run === runs - 1;
    const endsAt = kills && isLast && choices.chance(60) ? choices.below(120) : Infinity;
    const isAlive = await survives(machine, machine.start(endsAt), (project) =>
      apply(project, { ...REQUEST, mode: 'normal', autoApprove: true }, PORTS),
    );
    killedApply ||= !isAlive;
    machine.world.failing.clear();
    await machine.clock.advance(1000);
  }
  const undone = await undo(machine, choices, kills);
  // A run that changed nothing has no record that can be undone; then nothing must have happened.
  const goal = worlds[undone.position ?? worlds.length - 1] ?? new Map<string, CrashObject>();
  const problems = [...undone.problems];
  const counts = { reversible: 0, lossy: 0, impossible: 0, additional: 0 };
  for (const each of undone.named.values()) counts[each]++;
  let isExact = false;
  if (undone.isComplete) {
    const differences = differencesOf(goal, objectsOf(machine.world));
    isExact = differences.size === 0;
    for (const address of differences) {
      const stated = undone.named.get(address);
      if (stated === undefined || stated === 'reversible')
        problems.push(`${address} is not as it was, and the plan said: ${stated ?? 'nothing'}`);
    }
    const isReversible = counts.lossy + counts.impossible + counts.additional === 0;
    if (isReversible && !isExact) problems.push('all actions were reversible');
  }
  return {
    isExact,
    killedApply,
    killedUndo: undone.killed,
    actions: counts,
    problems: problems.map((problem) => `seed ${seed}: ${problem}`),
  };
}

interface Undone {
  readonly isComplete: boolean;
  readonly killed: boolean;
  /** position of the undone run among the applies; undefined if nothing was undone */
  readonly position: number | undefined;
  /** the worst class that a plan stated for each address */
  readonly named: ReadonlyMap<string, ClassifiedAction['class']>;
  readonly problems: readonly string[];
}

/** Undoes the last run, or an earlier one; an undo that is killed is repeated for the same run. */
async function undo(machine: Machine, choices: Choices, kills: boolean): Promise<Undone> {
  const named = new Map<string, ClassifiedAction['class']>();
  const problems: string[] = [];
  const { history } = (await openHistory(machine.start().project)).result ?? {};
  if (history === undefined)
    return {
      isComplete: false,
      killed: false,
      position: undefined,
      named,
      problems: ['no history'],
    };
  const all = [...history.runs, ...(history.pending === undefined ? [] : [history.pending])];
  const isEarlier = choices.chance(25);
  const wanted = isEarlier ? all[choices.below(all.length)]?.id : undefined;
  let run = wanted;
  let killed = false;
  let blocked: string | undefined;
  for (let attempt = 0; attempt < 6; attempt++) {
    const planned = await planUndoOf(machine, run);
    if (planned.report === undefined) {
      const isNothing = planned.diagnostics.some(({ summary }) => summary === 'Nothing to undo');
      if (isNothing) return { isComplete: false, killed, position: undefined, named, problems };
      problems.push(`no plan: ${textOf(planned.diagnostics)}`);
      break;
    }
    run ??= planned.report.run.id;
    if (isWaiting(planned.diagnostics)) {
      await recordCreations(machine);
      continue;
    }
    note(named, planned.report);
    const open = planned.diagnostics.filter(({ summary }) => summary === 'Open operations');
    if (open.length > 0) {
      for (const address of await forgetOpen(machine, open)) named.set(address, 'impossible');
      continue;
    }
    const endsAt = kills && attempt === 0 && choices.chance(60) ? choices.below(100) : Infinity;
    const allowLossy = planned.report.actions
      .filter((each) => each.class === 'lossy')
      .map(({ address }) => address);
    let diagnostics: readonly Diagnostic[] = [];
    const isAlive = await survives(machine, machine.start(endsAt), async (project) => {
      const approval = { input: () => Promise.resolve({ text: 'yes' }) };
      const outcome = await applyUndo(
        project,
        { ...REQUEST, allowLossy, ...(run === undefined ? {} : { run }) },
        { ...PORTS, approval },
        (_plan, report) => note(named, report),
      );
      ({ diagnostics } = outcome);
    });
    await machine.clock.advance(1000);
    if (!isAlive) {
      killed = true;
      continue;
    }
    // The name is that of a deposed object, which has been deleted by now: as with any apply, a repetition succeeds.
    blocked = blockedReplacement(diagnostics, planned.report);
    if (diagnostics.some(({ summary }) => summary === ALREADY_EXISTS)) continue;
    if (hasErrors(diagnostics)) problems.push(`the undo fails: ${textOf(diagnostics)}`);
    else await checkState(machine, problems);
    const position = all.findIndex(({ id }) => id === run);
    return { isComplete: !hasErrors(diagnostics), killed, position, named, problems };
  }
  if (blocked === undefined) problems.push('no end');
  else await checkState(machine, problems);
  return { isComplete: false, killed, position: undefined, named, problems };
}

/**
 * Returns the object of a fixed name that is tainted and has `create_before_destroy`, if that is why the undo fails:
 * no apply can replace it either.
 */
function blockedReplacement(
  diagnostics: readonly Diagnostic[],
  { actions }: UndoReport,
): string | undefined {
  const taken = diagnostics.find(({ summary }) => summary === ALREADY_EXISTS)?.address;
  return actions.find(({ address, action }) => action === 'create-then-delete' && address === taken)
    ?.address;
}

async function planUndoOf(
  machine: Machine,
  run: string | undefined,
): Promise<{
  readonly report: UndoReport | undefined;
  readonly diagnostics: readonly Diagnostic[];
}> {
  let report: UndoReport | undefined;
  const { diagnostics } = await planUndo(
    machine.start().project,
    { ...REQUEST, allowLossy: [], ...(run === undefined ? {} : { run }) },
    SILENT,
    (_plan, shown) => {
      report = shown;
    },
    '',
  );
  return { report, diagnostics };
}

const RANK = { reversible: 0, additional: 1, impossible: 2, lossy: 3 } as const;

function note(named: Map<string, ClassifiedAction['class']>, report: UndoReport): void {
  for (const each of report.actions) {
    const known = named.get(each.address);
    if (known === undefined || RANK[known] < RANK[each.class]) named.set(each.address, each.class);
  }
}

/**
 * Forgets the open creations that the diagnostics of an undo name, and returns their names. The next plan looks up the
 * others.
 */
async function forgetOpen(
  machine: Machine,
  diagnostics: readonly Diagnostic[],
): Promise<readonly string[]> {
  const { project } = machine.start();
  const read = await recoverState(project, { write: false, forget: [] }, REQUEST.state, {});
  const lines = diagnostics.flatMap(({ detail }) => detail.split('\n'));
  const forget = (read.result?.open ?? [])
    .map((open) => (open.kind === 'intent' ? open.addr.text : open.invocation))
    .filter((name) => lines.includes(`  - ${name}`));
  await recoverState(project, { write: true, forget }, REQUEST.state, {});
  return forget;
}

/** Returns true if former objects become current again only after the result of a creation is recorded. */
function isWaiting(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ summary }) => summary === 'Interrupted replacement');
}

/** Looks interrupted creations up, as the error of an undo requires. */
async function recordCreations(machine: Machine): Promise<void> {
  const request = { ...REQUEST, mode: 'refresh-only', autoApprove: true } as const;
  await apply(machine.start().project, request, PORTS);
  await machine.clock.advance(1000);
}

/** Everything in the state exists, once. */
async function checkState(machine: Machine, problems: string[]): Promise<void> {
  const { file } = await readState(machine.start().project);
  const known = new Set<string>();
  for (const addr of file?.state.managedInstances() ?? []) {
    const json = file?.state.instance(addr)?.current?.attributesJson ?? '{}';
    const { id } = JSON.parse(json) as { readonly id?: string }; // of the crash provider
    if (id === undefined || machine.world.objects.get(id) === undefined)
      problems.push(`${addr.text} is in the state and does not exist`);
    else if (known.has(id)) problems.push(`${id} is in the state twice`);
    else known.add(id);
  }
}

const textOf = (diagnostics: readonly Diagnostic[]): string =>
  diagnostics.map(({ summary, detail }) => `${summary}: ${detail}`).join('; ');

function objectsOf(world: CrashWorld): ReadonlyMap<string, CrashObject> {
  return new Map([...world.objects.values()].map((object) => [object.id, object]));
}

/** Addresses of objects that exist in one of two worlds only, or that differ. */
function differencesOf(
  before: ReadonlyMap<string, CrashObject>,
  after: ReadonlyMap<string, CrashObject>,
): ReadonlySet<string> {
  const addresses = new Set<string>();
  for (const id of new Set([...before.keys(), ...after.keys()])) {
    const [old, now] = [before.get(id), after.get(id)];
    if (JSON.stringify(old) === JSON.stringify(now)) continue;
    for (const object of [old, now]) if (object !== undefined) addresses.add(object.address);
  }
  return addresses;
}

/** The result of ending an apply and an undo at moments one after the other. */
export interface EnumeratedUndo {
  /** number of moments at which a process was ended */
  readonly ends: number;
  readonly problems: readonly string[];
}

const BEFORE = `resource "crash_named" "kept" {
  name = "kept"
  kind = "1"
  size = 1
}
resource "crash_keyed" "moved" {
  name = "moved"
  kind = "1"
}
`;
const AFTER = `resource "crash_named" "kept" {
  name   = "kept"
  kind   = "1"
  size   = 2
  secret = "secret"
}
resource "crash_keyed" "elsewhere" {
  name = "moved"
  kind = "1"
}
moved {
  from = crash_keyed.moved
  to   = crash_keyed.elsewhere
}
resource "crash_named" "added" {
  name = "added"
  kind = crash_named.kept.made
}
`;

/**
 * Ends an apply, or the undo of it, at every `every`th moment, and undoes the run then: each time the world must be as
 * before, as all actions are reversible. The history must be readable, with a record or an announcement of each run.
 */
export async function enumerateUndo(every: number): Promise<EnumeratedUndo> {
  const problems: string[] = [];
  let ends = 0;
  for (const ended of ['apply', 'undo'] as const) {
    for (let at = 0; ; at += every) {
      const machine = new Machine(1);
      await machine.write(BEFORE);
      const applyTo = (project: Project): Promise<unknown> =>
        apply(project, { ...REQUEST, mode: 'normal', autoApprove: true }, PORTS);
      await survives(machine, machine.start(), applyTo);
      const goal = objectsOf(machine.world);
      await machine.clock.advance(1000);
      await machine.write(AFTER);
      const applied = machine.start(ended === 'apply' ? at : Infinity);
      let isOver = await survives(machine, applied, applyTo);
      await machine.clock.advance(1000);
      const { history } = (await openHistory(machine.start().project)).result ?? {};
      const run = history?.pending?.id ?? history?.runs.at(-1)?.id;
      const label = `${ended} ended at ${at}`;
      if (history === undefined || run === undefined) problems.push(`${label}: no history`);
      if (ended === 'undo') {
        const undoing = machine.start(at);
        isOver = await survives(machine, undoing, (project) => undoIn(project, run));
        await machine.clock.advance(1000);
      }
      const isFirst = history?.runs.length === 1 && history.pending === undefined;
      // An apply that ended before it was announced has changed nothing.
      const diagnostics = isFirst ? [] : await undoIn(machine.start().project, run);
      // The name is that of a deposed object, which has been deleted by now: as with any apply, a repetition succeeds.
      if (diagnostics.some(({ summary }) => summary === ALREADY_EXISTS)) continue;
      if (hasErrors(diagnostics)) problems.push(`${label}: ${textOf(diagnostics)}`);
      for (const address of differencesOf(goal, objectsOf(machine.world)))
        problems.push(`${label}: ${address} is not as it was`);
      await checkState(machine, problems);
      const then = (await openHistory(machine.start().project)).result?.history;
      for (const each of then?.runs ?? [])
        if ((await then?.show(each))?.changes === undefined)
          problems.push(`${label}: the changes of ${each.id} are not known`);
      if (isOver) break;
      ends++;
    }
  }
  return { ends, problems };
}

/**
 * Ends a replacement that creates first at every moment, and undoes the run. As long as the former object exists, it
 * must be all that exists afterwards. The creation of a `named` or `keyed` object can be looked up.
 */
export async function enumerateReplacementUndo(type: 'named' | 'keyed'): Promise<EnumeratedUndo> {
  const text = (kind: string): string =>
    `resource "crash_${type}" "a" {\n  name = "a"\n  kind = "${kind}"\n  lifecycle {\n    create_before_destroy = true\n  }\n}\n`;
  const problems: string[] = [];
  let ends = 0;
  for (let at = 0; ; at++) {
    const machine = new Machine(1);
    const applyTo = (project: Project): Promise<unknown> =>
      apply(project, { ...REQUEST, mode: 'normal', autoApprove: true }, PORTS);
    await machine.write(text('1'));
    await survives(machine, machine.start(), applyTo);
    await machine.clock.advance(1000);
    const goal = objectsOf(machine.world);
    await machine.write(text('2'));
    const isOver = await survives(machine, machine.start(at), applyTo);
    if (isOver) return { ends, problems };
    await machine.clock.advance(1000);
    const { history } = (await openHistory(machine.start().project)).result ?? {};
    const isAnnounced = (history?.runs.length ?? 0) > 1 || history?.pending !== undefined;
    const former = [...goal.keys()].every((id) => machine.world.objects.get(id) !== undefined);
    if (!isAnnounced || !former) continue;
    ends++;
    if (isWaiting((await planUndoOf(machine, undefined)).diagnostics))
      await recordCreations(machine);
    const diagnostics = await undoIn(machine.start().project, undefined);
    if (hasErrors(diagnostics)) problems.push(`ended at ${at}: ${textOf(diagnostics)}`);
    for (const address of differencesOf(goal, objectsOf(machine.world)))
      problems.push(`ended at ${at}: ${address} is not as it was`);
    await checkState(machine, problems);
  }
}

async function undoIn(project: Project, run: string | undefined): Promise<readonly Diagnostic[]> {
  const approval = { input: () => Promise.resolve({ text: 'yes' }) };
  const request = { ...REQUEST, allowLossy: [], ...(run === undefined ? {} : { run }) };
  const { diagnostics } = await applyUndo(project, request, { ...PORTS, approval }, () => {});
  return diagnostics;
}
