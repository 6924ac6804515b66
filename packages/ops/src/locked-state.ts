import type { StateManager, StateReading, StateSession, WritableState } from '@terrane/engine';
import { hasErrors, warningDiagnostic, type Diagnostic } from '@terrane/hcl';
import type { Clock, LockInfo } from '@terrane/host';
import { joinedError, type RunPorts } from './run-ports.ts';
import type { StateOptions } from './state-options.ts';

/**
 * The number of naps after which the wait for a lock is reported. A period in which this process was too busy to wake
 * up counts as one nap.
 */
const PATIENCE_NAPS = 5;
const NAP_MS = 100;

/** The result of an operation or of one of its stages; no result after an error. */
export interface Outcome<T> {
  readonly result?: T;
  readonly diagnostics: readonly Diagnostic[];
}

/** The outcome of an operation that ended early. */
export interface Failure {
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Locks and reads a state, executes `work` and releases the lock, also if `work` throws. With `-lock=false` the state
 * is only read; so it is if a snapshot suffices. `work` receives the state that was read, which it can change once. Returns the outcome of `work` with the diagnostics of locking, reading and unlocking.
 */
export async function withLockedState<O extends Failure>(
  manager: StateManager,
  options: StateOptions,
  operation: string,
  ports: Pick<RunPorts, 'waiting' | 'signal'> & { readonly clock: Clock },
  work: (state: WritableState) => Promise<O>,
): Promise<O | Failure> {
  if (!options.lock && options.snapshot !== true)
    return await readAndWork(manager.withoutLock(), work);
  if (options.snapshot === true) {
    const { reading, holder } = await readSnapshot(manager);
    // A file that Terraform is replacing in place may be empty or cut off.
    const isComplete =
      !hasErrors(reading.diagnostics) &&
      (holder === undefined || reading.state?.file !== undefined || !manager.isFile);
    if (isComplete || !options.lock) {
      const running = holder === undefined ? [] : [runInProgress(holder)];
      return await workWith(
        { ...reading, diagnostics: [...reading.diagnostics, ...running] },
        work,
      );
    }
  }
  // Under load all operations are slow; only a lock held by another process should be reported.
  const timed: Pick<RunPorts, 'waiting'> & { readonly clock: Clock } = manager.isFile
    ? { clock: ports.clock }
    : ports;
  const onHeld = manager.isFile ? (): void => ports.waiting?.('lock') : undefined;
  const locked = await withWaitNotice(timed, 'lock', () =>
    manager.lock({ operation }, options.lockTimeoutMs, ports.signal, onHeld),
  );
  const { session } = locked;
  if (session === undefined) return { diagnostics: locked.diagnostics };
  let outcome: O | Failure | undefined;
  let released: readonly Diagnostic[] = [];
  try {
    outcome = await readAndWork(session, work);
  } finally {
    released = await withWaitNotice(timed, 'unlock', () => session.release());
  }
  const diagnostics = [...locked.diagnostics, ...outcome.diagnostics, ...released];
  return { ...outcome, diagnostics };
}

async function readAndWork<O extends Failure>(
  session: StateSession,
  work: (state: WritableState) => Promise<O>,
): Promise<O | Failure> {
  return await workWith(await session.read(), work);
}

/** Reads a state without a lock. Then determines who holds the lock, as a run may have begun meanwhile. */
async function readSnapshot(manager: StateManager): Promise<{
  readonly reading: StateReading;
  readonly holder: LockInfo | undefined;
}> {
  const reading = await manager.withoutLock().read();
  return { reading, holder: await manager.lockHolder() };
}

/** The warning about a run that may change the state. */
function runInProgress({ who, operation, created }: LockInfo): Diagnostic {
  const holder = who === '' ? 'Another run' : who;
  const subject = operation === '' ? '' : ` for ${operation}`;
  const since = created === '' ? '' : ` since ${created}`;
  return warningDiagnostic(
    'State is locked by a run in progress',
    `${holder} has held the lock of this state${subject}${since}. This command uses the last stored snapshot of the state, so the result may be out of date once that run ends. Run the command again afterwards, or use -lock=true to wait for the lock.`,
  );
}

async function workWith<O extends Failure>(
  { state, diagnostics }: StateReading,
  work: (state: WritableState) => Promise<O>,
): Promise<O | Failure> {
  if (state === undefined) {
    return { diagnostics: [joinedError('error loading state', diagnostics)] };
  }
  const outcome = await work(state);
  return { ...outcome, diagnostics: [...diagnostics, ...outcome.diagnostics] };
}

async function withWaitNotice<T>(
  ports: Pick<RunPorts, 'waiting'> & { readonly clock: Clock },
  subject: 'lock' | 'unlock',
  work: () => Promise<T>,
): Promise<T> {
  const { waiting } = ports;
  if (waiting === undefined) return await work();
  const completed = new AbortController();
  const notice = naps(ports.clock, completed.signal).then(
    () => waiting(subject),
    () => undefined,
  );
  try {
    return await work();
  } finally {
    completed.abort();
    await notice;
  }
}

/** Rejects when the signal is aborted first. */
async function naps(clock: Clock, signal: AbortSignal): Promise<void> {
  for (let nap = 0; nap < PATIENCE_NAPS; nap++) await clock.sleep(NAP_MS, signal);
}
