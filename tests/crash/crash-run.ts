import { apply, type ApplyRequest, openProject, plan, type Project, SILENT } from '@terrane/ops';
import type { Diagnostic } from '@terrane/hcl';
import type { Plan, StateFile } from '@terrane/engine';
import { readState } from '@terrane/ops';
import {
  END_BEFORE,
  END_WITHIN,
  type Fault,
  ManualClock,
  MemoryDisk,
  memoryHost,
  type MemoryHost,
  ProcessEnded,
  type Survival,
} from '@terrane/testkit';
import { CRASH_PROVIDER, CrashWorld } from './crash-world.ts';
import { readableSecrets } from './encrypted.ts';
import type { Workload } from './workloads.ts';

/** A machine with a configuration, and what really exists outside of it. */
export interface Scene {
  readonly disk: MemoryDisk;
  readonly world: CrashWorld;
}

/** A moment of a run: something was asked of the disk or of the provider. */
export interface Moment {
  readonly what: string;
  readonly isCall: boolean;
}

/** Thrown by a provider that ends at a call, so that the call has no response. */
export const PROVIDER_ENDS = 'provider ends';

/** Decides on the moments of a run, in their order. */
export type Cut = (moment: Moment, index: number) => string | undefined;

let lastPid = 1000;

/** One process on the machine of a scene. */
class Process {
  readonly host: MemoryHost;
  readonly moments: Moment[] = [];
  readonly #project: Project;

  constructor({ disk, world }: Scene, cut: Cut = () => undefined) {
    const decide = (moment: Moment): string | undefined => {
      this.moments.push(moment);
      return cut(moment, this.moments.length - 1);
    };
    const fault: Fault = ({ kind, path }) =>
      kind === 'read' ? undefined : decide({ what: `${kind} ${path}`, isCall: false });
    const pid = ++lastPid;
    this.host = memoryHost({ disk, fault, pid, seed: pid, clock: new ManualClock() });
    const create = () =>
      world.provider((when, call) => {
        if (this.host.files.ended) throw new ProcessEnded();
        const outcome = decide({ what: `${when} ${call}`, isCall: true });
        if (outcome === PROVIDER_ENDS) throw new Error('the provider has ended');
        if (outcome !== END_BEFORE && outcome !== END_WITHIN) return;
        this.host.files.end();
        throw new ProcessEnded();
      });
    const providers = new Map([[CRASH_PROVIDER, { kind: 'in-process', create } as const]]);
    this.#project = openProject(this.host, { providers });
  }

  async apply(mode: 'normal' | 'destroy'): Promise<readonly Diagnostic[]> {
    const ports = { ...SILENT, showPlan: () => {}, showDiagnostics: () => {} };
    const { diagnostics } = await apply(
      this.#project,
      { ...REQUEST, mode, autoApprove: true },
      ports,
    );
    return diagnostics;
  }

  async plan(mode: 'normal' | 'destroy'): Promise<{
    readonly plan: Plan | undefined;
    readonly diagnostics: readonly Diagnostic[];
  }> {
    const { result, diagnostics } = await plan(this.#project, { ...REQUEST, mode }, SILENT);
    return { plan: result?.plan, diagnostics };
  }

  async state(): Promise<StateFile | undefined> {
    return (await readState(this.#project)).file;
  }
}

const REQUEST: Omit<ApplyRequest, 'mode' | 'autoApprove'> = {
  state: { lock: true, lockTimeoutMs: 0 },
  variables: [],
  parallelism: 4,
  refresh: true,
  targets: [],
  targetTexts: [],
  replace: [],
};

async function write({ disk }: Scene, text: string): Promise<void> {
  await memoryHost({ disk }).files.replaceFile('/project/main.tf', text);
}

/** Creates the scene before a workload. */
export async function prepare(workload: Workload): Promise<Scene> {
  const scene: Scene = { disk: new MemoryDisk(), world: new CrashWorld() };
  for (const [index, text] of workload.before.entries()) {
    await write(scene, text);
    if (index === workload.before.length - 1) workload.arrange?.(scene.world, 'before');
    await new Process(scene).apply('normal');
  }
  workload.arrange?.(scene.world, 'run');
  await write(scene, workload.text ?? workload.before.at(-1) ?? '');
  return scene;
}

/** The same scene, to go on with on its own. */
export function copyOf({ disk, world }: Scene, survival: Survival = 'everything'): Scene {
  return { disk: disk.survive(survival), world: world.copy() };
}

/** Runs a workload and gives what it did, moment by moment. */
export async function run(workload: Workload, scene: Scene, cut?: Cut): Promise<readonly Moment[]> {
  const process = new Process(scene, cut);
  try {
    await process.apply(modeOf(workload));
  } catch (error) {
    const why = error instanceof Error ? (error.cause ?? error) : error;
    if (!(why instanceof ProcessEnded)) throw error;
  }
  return process.moments;
}

function modeOf({ text, mode }: Workload): 'normal' | 'destroy' {
  return mode ?? (text === undefined ? 'destroy' : 'normal');
}

/** Returns the violations after the runs that follow an interrupted one; empty if there are none. */
export async function recoveryProblems(
  workload: Workload,
  scene: Scene,
): Promise<readonly string[]> {
  const mode = modeOf(workload);
  const problems: string[] = [];
  if (workload.isSealed === true) problems.push(...readableSecrets(scene.disk));
  const first = await new Process(scene).plan(mode);
  problems.push(...errorsOf('the plan', first.diagnostics));
  problems.push(...secretProblems(first.diagnostics));
  const lost = unlookable(first.diagnostics);
  // An error that may occur once, as it would have in the interrupted run.
  const mayFail = scene.world.failing.size > 0;
  const applied = errorsOf('the apply', await new Process(scene).apply(mode));
  if (mayFail) problems.push(...errorsOf('the next apply', await new Process(scene).apply(mode)));
  else problems.push(...applied);
  const last = await new Process(scene).plan(mode);
  problems.push(...errorsOf('the last plan', last.diagnostics));
  const changes = last.plan?.changes.filter(({ action }) => action !== 'no-op') ?? [];
  problems.push(...changes.map(({ action, addr }) => `the last plan would ${action} ${addr.text}`));
  problems.push(...inventoryProblems(await new Process(scene).state(), scene.world, lost));
  return problems;
}

function errorsOf(where: string, diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ summary, detail }) => `${where} fails: ${summary}: ${detail}`);
}

function secretProblems(diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics
    .filter(({ detail }) => detail.includes('marker-of-a-secret'))
    .map(({ summary }) => `"${summary}" tells a secret`);
}

/** Addresses of objects that may exist and can't be looked for, which is told. */
function unlookable(diagnostics: readonly Diagnostic[]): ReadonlySet<string> {
  const interrupted = diagnostics.filter(
    ({ summary, detail }) =>
      summary === 'Interrupted operation' && detail.includes('terrane import'),
  );
  return new Set(interrupted.map(({ address }) => address ?? ''));
}

function inventoryProblems(
  file: StateFile | undefined,
  world: CrashWorld,
  lost: ReadonlySet<string>,
): readonly string[] {
  const problems: string[] = [];
  const known = new Map<string, string>();
  for (const addr of file?.state.instances() ?? []) {
    const { current, deposed } = file?.state.instance(addr) ?? {};
    for (const object of [current, ...(deposed?.values() ?? [])]) {
      if (object === undefined) continue;
      const { id, size } = JSON.parse(object.attributesJson ?? '{}') as {
        readonly id: string;
        readonly size: number | null;
      };
      if (known.has(id))
        problems.push(`${id} is in the state twice: ${addr.text}, ${known.get(id)}`);
      known.set(id, addr.text);
      const real = world.objects.get(id);
      if (real === undefined) problems.push(`${addr.text} is ${id}, which does not exist`);
      else if (real.size !== size) problems.push(`${addr.text} has a stale size`);
    }
  }
  for (const { id, address } of world.objects.values())
    if (!known.has(id) && !lost.has(address)) problems.push(`${id} of ${address} is forgotten`);
  return problems;
}
