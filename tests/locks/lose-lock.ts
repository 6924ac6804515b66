// Takes the lock away from a run in the middle of an operation, and looks at what the run does then.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { str } from '@terrane/cty';
import {
  nextStateFile,
  readStateFile,
  StateDraft,
  stateOf,
  type State,
  type StateManager,
  type StateSession,
  type WritableState,
} from '@terrane/engine';
import type { Backend } from '@terrane/backends';
import { hasErrors, type Diagnostic } from '@terrane/hcl';
import { nodeHost, type Storage } from '@terrane/host';
import { applyTwenty, LEASE_MS, managerOf, PARALLELISM, diagnosticsText } from './apply-twenty.ts';
import { bundled } from './bundled.ts';
import { begunElsewhere, type ElsewhereTask, letGoElsewhere } from './elsewhere.ts';
import { Link } from './link.ts';
import type { Contended } from './lock-backends.ts';
import type { Target } from './lock-task.ts';
import { openTarget } from './open-target.ts';

/**
 * The cause of the loss. `kill`: the lock is removed; every other time another run acquires it and stores a newer state,
 * and every fourth time it then releases it. `partition`: the storage no longer responds. `expire`: the storage refuses
 * to renew the lease until another run has acquired the lock. `freeze`: the process is stopped until then.
 */
export type Loss = 'kill' | 'partition' | 'expire' | 'freeze';

export const LOSSES: readonly Loss[] = ['kill', 'partition', 'expire', 'freeze'];

/** The result of an experiment. */
export interface Experiment {
  /** what was wrong */
  readonly problems: readonly string[];
  /** operations that began before the lock was lost, and after */
  readonly before: number;
  readonly after: number;
  /** whether another run had stored a newer state */
  readonly isOvertaken: boolean;
}

/** A run of this process or of another one, whose operations wait to be let go. */
interface Watched {
  begun(): Promise<number>;
  letGo(): Promise<void>;
  readonly link: Link | undefined;
  readonly pid: number | undefined;
  /** what it said in the end */
  readonly ended: Promise<string>;
}

/** Returns true if locks of a storage expire. */
export function isLeased(storage: Storage): boolean {
  return storage.renew !== undefined;
}

/** Runs one experiment: the lock is lost when the operation of that number has begun. */
export async function loseLock(
  contended: Contended,
  loss: Loss,
  operation: number,
): Promise<Experiment | 'not applicable'> {
  const folder = await mkdtemp(join(tmpdir(), 'terrane-loss-'));
  try {
    const target = await contended.another(
      `${loss}-${operation}-${folder.slice(-6).toLowerCase()}`,
    );
    return await experiment(contended, target, loss, operation, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function experiment(
  contended: Contended,
  target: Target,
  loss: Loss,
  operation: number,
  folder: string,
): Promise<Experiment | 'not applicable'> {
  const backends: Backend[] = [];
  const opened = (backend: Backend): void => void backends.push(backend);
  try {
    return await observed(contended, target, loss, operation, folder, opened);
  } finally {
    for (const backend of backends) await backend.close?.();
  }
}

async function observed(
  contended: Contended,
  target: Target,
  loss: Loss,
  operation: number,
  folder: string,
  opened: (backend: Backend) => void,
): Promise<Experiment | 'not applicable'> {
  const other = await openTarget(target, undefined, opened);
  const leased = isLeased(other);
  if (target.kind === 'local' && loss !== 'kill') return 'not applicable';
  if (!leased && (loss === 'expire' || loss === 'freeze')) return 'not applicable';
  await mkdir(join(folder, 'other'));
  const rival = managerOf(other, join(folder, 'other'));
  // As long as there is no state, PostgreSQL has one lock for all states that are being created.
  await initialise(rival);
  const leaseMs = leaseMsOf(target);
  const watched = await (loss === 'freeze' ? startElsewhere : startHere)(
    target,
    folder,
    operation,
    opened,
  );
  const stopped = watched.ended.then((output) => {
    throw new Error(`the run ended before its lock was lost: ${output}`);
  });
  await Promise.race([until(async () => (await watched.begun()) >= operation), stopped]);
  stopped.catch(() => undefined);
  // Those that run beside it have begun by then, too.
  await pause(100);
  const overtakes =
    loss === 'expire' || loss === 'freeze' || (loss === 'kill' && operation % 2 === 0);
  switch (loss) {
    case 'kill':
      await removeLock(target, other);
      break;
    case 'partition':
      if (watched.link !== undefined) watched.link.mode = 'silent';
      await pause(leaseMs + leaseMs / 2);
      break;
    case 'expire':
      if (watched.link !== undefined) watched.link.mode = 'refuse';
      await pause(leaseMs);
      await expire(contended, other);
      break;
    case 'freeze':
      process.kill(watched.pid ?? 0, 'SIGSTOP');
      await pause(leaseMs);
      await expire(contended, other);
  }
  const newer = overtakes ? await overtake(rival) : undefined;
  // A lock that is free again does not make what was stored under it go away.
  const isFreeAgain = loss === 'kill' && operation % 4 === 0;
  if (isFreeAgain) await newer?.session.release();
  const before = await watched.begun();
  if (loss === 'freeze') process.kill(watched.pid ?? 0, 'SIGCONT');
  await watched.letGo();
  await pause(loss === 'kill' ? 200 : 500);
  if (watched.link !== undefined) watched.link.mode = 'pass';
  const output = await watched.ended;
  const after = (await watched.begun()) - before;
  const problems: string[] = [];
  if (after > 0) problems.push(`${after} operations began after the lock was lost`);
  if (before > operation + PARALLELISM) problems.push(`${before} operations began too early`);
  // A lock that is free again is granted once more by a server of http; the write of the other run is noticed then.
  const isNoticed = isFreeAgain && output.includes('another client has written a new one');
  if (!output.includes('State lock lost') && !isNoticed)
    problems.push(`the run did not say so: ${output}`);
  const stored = stateOf(readFileOf(await (await openTarget(target, undefined, opened)).read()));
  const known = new Set([...namesIn(stored), ...(await erroredNames(folder))]);
  if (known.size < before) problems.push(`${before - known.size} results are not recorded`);
  // A local state whose file is another one counts as stored by another client.
  const isFree = loss === 'kill' && newer === undefined && target.kind !== 'local';
  if (isFree && namesIn(stored).length < before)
    problems.push('the state was not stored although nobody else had stored one');
  if (newer !== undefined && stored.outputs.get('rival')?.value.asString() !== newer.name)
    problems.push('the newer state of another run was overwritten');
  if (!isFreeAgain) await newer?.session.release();
  return { problems, before, after, isOvertaken: overtakes };
}

/** Sessions of Consul last ten seconds or more. */
function leaseMsOf(target: Target): number {
  return target.kind === 'backend' && target.type === 'consul' ? 10_000 : LEASE_MS;
}

async function initialise(rival: StateManager): Promise<void> {
  const { session, stored } = await lockAndRead(rival, 'init');
  const { file } = stored;
  check(await stored.write(nextStateFile(file, stateOf(file), nodeHost().random.uuid)));
  check(await session.release());
}

async function startHere(
  target: Target,
  folder: string,
  operation: number,
  opened: (backend: Backend) => void,
): Promise<Watched> {
  const link = new Link();
  let letGo = (): void => undefined;
  const gate = new Promise<void>((resolve) => (letGo = resolve));
  const linked = await linkedTarget(target, link);
  const run = await applyTwenty({
    storage: await openTarget(linked, (host) => link.host(host), opened),
    folder,
    operation: (number) => (number < operation ? Promise.resolve() : gate),
  });
  return {
    begun: () => Promise.resolve(run.begun()),
    letGo: () => Promise.resolve(letGo()),
    link,
    pid: undefined,
    ended: run.ended.then(diagnosticsText).finally(() => link.close()),
  };
}

/** PostgreSQL is not spoken to by HTTP. */
async function linkedTarget(target: Target, link: Link): Promise<Target> {
  if (target.kind !== 'backend' || target.type !== 'pg') return target;
  const conn_str = String(target.config['conn_str']);
  const port = /:(\d+)\//.exec(conn_str)?.[1] ?? '';
  const through = conn_str.replace(`:${port}/`, `:${await link.through(Number(port))}/`);
  return { ...target, config: { ...target.config, conn_str: through } };
}

async function startElsewhere(target: Target, folder: string, operation: number): Promise<Watched> {
  const task: ElsewhereTask = { target, folder, operation };
  const program = await bundled('tests/locks/run-elsewhere.ts');
  await writeFile(join(folder, 'begun'), '');
  const child = spawn(process.execPath, [program, JSON.stringify(task)], {
    env: { ...process.env, ...(target.kind === 'backend' ? target.env : {}) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (piece: Buffer) => (output += piece.toString()));
  child.stderr.on('data', (piece: Buffer) => (output += piece.toString()));
  return {
    begun: () => begunElsewhere(folder),
    letGo: () => letGoElsewhere(folder),
    link: undefined,
    pid: child.pid,
    ended: new Promise((resolve) => child.once('close', () => resolve(output))),
  };
}

async function removeLock(target: Target, other: Storage): Promise<void> {
  if (target.kind === 'local') {
    // Whoever replaces the file has one that is not locked.
    await copyFile(target.path, `${target.path}.new`);
    await rename(`${target.path}.new`, target.path);
    return;
  }
  if (target.kind === 'backend' && target.type === 'http') {
    // The protocol does not say who holds the lock. Where no holder is named, GitLab removes any.
    await fetch(String(target.config['unlock_address']), { method: 'UNLOCK' });
    return;
  }
  const holder = await other.lockHolder?.();
  if (holder === undefined) throw new Error('nobody holds the lock');
  await other.unlock?.(holder.id);
}

/** Consul ends sessions by itself; the server that stands for it has to be told. */
async function expire(contended: Contended, other: Storage): Promise<void> {
  const holder = await other.lockHolder?.();
  if (holder !== undefined) contended.expire?.(holder.id);
}

/** Another run takes the lock and stores a newer state; the lock stays. */
async function overtake(
  rival: StateManager,
): Promise<{ readonly name: string; readonly session: StateSession }> {
  const { id, session, stored } = await lockAndRead(rival, 'OperationTypeApply');
  const { file } = stored;
  const name = `rival ${id}`;
  const draft = new StateDraft(stateOf(file));
  draft.apply({ kind: 'outputs', values: new Map([['rival', str(name)]]) });
  check(await stored.write(nextStateFile(file, draft.freeze(), nodeHost().random.uuid)));
  return { name, session };
}

async function lockAndRead(
  rival: StateManager,
  operation: string,
): Promise<{
  readonly id: string | undefined;
  readonly session: StateSession;
  readonly stored: WritableState;
}> {
  const { id, session, diagnostics } = await rival.lock({ operation }, 60_000);
  if (session === undefined)
    throw new Error(`the rival gets no lock: ${diagnosticsText(diagnostics)}`);
  const read = await session.read();
  if (read.state === undefined) throw new Error(diagnosticsText(read.diagnostics));
  return { id, session, stored: read.state };
}

function check(diagnostics: readonly Diagnostic[]): void {
  if (hasErrors(diagnostics)) throw new Error(diagnosticsText(diagnostics));
}

function readFileOf(bytes: Uint8Array | undefined): ReturnType<typeof readStateFile>['file'] {
  return bytes === undefined ? undefined : readStateFile(bytes).file;
}

function namesIn(state: State): readonly string[] {
  return [...state.instances()].map(({ text }) => text);
}

async function erroredNames(folder: string): Promise<readonly string[]> {
  const path = join(folder, 'errored.tfstate');
  return existsSync(path) ? namesIn(stateOf(readFileOf(await readFile(path)))) : [];
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 12_000; attempt++) {
    if (await holds()) return;
    await pause(20);
  }
  throw new Error('the run does not get on');
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
