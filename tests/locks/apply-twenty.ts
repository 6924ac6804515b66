// A run of twenty operations on a state that is locked in a storage.
import { createStateManager, type StateManager } from '@terrane/engine';
import type { Diagnostic } from '@terrane/hcl';
import { nodeHost, type Host, type Storage } from '@terrane/host';
import { TestProject } from '../engine/harness.ts';

/** The number of operations. */
export const OPERATIONS = 20;
/** The maximum number of requests in flight. */
export const PARALLELISM = 2;
/** The duration of leases in these runs. */
export const LEASE_MS = 4_000;

/** A run that is going on. */
export interface TwentyRun {
  /** operations that have begun */
  readonly begun: () => number;
  /** settles when the run has ended and its lock is given back */
  readonly ended: Promise<readonly Diagnostic[]>;
}

/** The environment of a run. */
export interface TwentyOptions {
  readonly storage: Storage;
  /** for the journal and `errored.tfstate` */
  readonly folder: string;
  /** called when an operation has begun, with its number from 1; it ends when this resolves */
  readonly operation: (number: number) => Promise<void>;
}

/** The host of this process, with short leases. */
export function hostOfRuns(): Host {
  const host = nodeHost();
  const variables: Readonly<Record<string, string>> = { TERRANE_LOCK_LEASE: `${LEASE_MS}ms` };
  const environment = Object.assign(Object.create(host.environment) as Host['environment'], {
    get: (name: string) => variables[name],
    entries: () => Object.entries(variables),
  });
  return { ...host, environment };
}

/** A manager of the state in a storage. */
export function managerOf(storage: Storage, folder: string): StateManager {
  return createStateManager({
    host: hostOfRuns(),
    storage,
    journalPath: `${folder}/journal`,
    erroredPath: `${folder}/errored.tfstate`,
  });
}

/** Locks the state, plans twenty objects, and begins to make them. */
export async function applyTwenty({
  storage,
  folder,
  operation,
}: TwentyOptions): Promise<TwentyRun> {
  const manager = managerOf(storage, folder);
  const locked = await manager.lock({ operation: 'OperationTypeApply' }, 30_000);
  const { session } = locked;
  if (session === undefined) throw new Error(`no lock: ${diagnosticsText(locked.diagnostics)}`);
  const { state, diagnostics } = await session.read();
  if (state === undefined) throw new Error(`no state: ${diagnosticsText(diagnostics)}`);
  const project = new TestProject();
  project.write(
    `resource "test_thing" "t" {\n  count = ${OPERATIONS}\n  name  = "t\${count.index}"\n}\n`,
  );
  let begun = 0;
  project.world.delay = async () => {
    begun += 1;
    await operation(begun);
  };
  const { plan, diagnostics: planned } = await project.plan();
  if (plan === undefined) throw new Error(`no plan: ${diagnosticsText(planned)}`);
  const follow = async (): Promise<readonly Diagnostic[]> => {
    const recorder = await state.begin();
    const choices = { lock: state.guard, parallelism: PARALLELISM };
    const applied = await project.applyWith(plan, recorder, choices);
    const finished = await recorder.finish();
    const released = await session.release();
    return [...applied, ...finished.diagnostics, ...released];
  };
  return { begun: () => begun, ended: follow() };
}

/** Diagnostics as a text. */
export function diagnosticsText(diagnostics: readonly Diagnostic[]): string {
  return diagnostics.map(({ summary, detail }) => `${summary}: ${detail}`).join('\n');
}
