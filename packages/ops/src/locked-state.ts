import type { StateFile, StateManager } from '@terrane/engine';
import { hasErrors, type Diagnostic } from '@terrane/hcl';
import type { Clock } from '@terrane/host';
import { joinedError, type RunPorts } from './run-ports.ts';
import type { StateOptions } from './state-options.ts';

/**
 * After so many naps people are told what is being waited for. Time in which this process itself was
 * too busy to wake up counts as one nap.
 */
const PATIENCE_NAPS = 5;
const NAP_MS = 100;

/** What a piece of work gave, or why it could not be done or finished. */
export interface Outcome<T> {
  readonly result?: T;
  readonly diagnostics: readonly Diagnostic[];
}

/** Works with a state while it is locked. The lock is given back whatever happens. */
export async function withLockedState<T>(
  manager: StateManager,
  options: StateOptions,
  operation: string,
  ports: Pick<RunPorts, 'waiting' | 'signal'> & { readonly clock: Clock },
  work: (base: StateFile | undefined) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  if (!options.lock) return await readAndWork(manager, work);
  // A machine under load is slow at everything; only a lock that somebody else holds is waited for.
  const timed: Pick<RunPorts, 'waiting'> & { readonly clock: Clock } = manager.isFile
    ? { clock: ports.clock }
    : ports;
  const onHeld = manager.isFile ? (): void => ports.waiting?.('lock') : undefined;
  const locked = await noticed(timed, 'lock', () =>
    manager.lock({ operation }, options.lockTimeoutMs, ports.signal, onHeld),
  );
  if (hasErrors(locked.diagnostics)) return { diagnostics: locked.diagnostics };
  let outcome: Outcome<T> | undefined;
  let released: readonly Diagnostic[] = [];
  try {
    outcome = await readAndWork(manager, work);
  } finally {
    released = await noticed(timed, 'unlock', () => manager.unlock());
  }
  const diagnostics = [...locked.diagnostics, ...outcome.diagnostics, ...released];
  return { ...outcome, diagnostics };
}

async function readAndWork<T>(
  manager: StateManager,
  work: (base: StateFile | undefined) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const { file, diagnostics } = await manager.read();
  if (hasErrors(diagnostics)) {
    return { diagnostics: [joinedError('error loading state', diagnostics)] };
  }
  const outcome = await work(file);
  return { ...outcome, diagnostics: [...diagnostics, ...outcome.diagnostics] };
}

async function noticed<T>(
  ports: Pick<RunPorts, 'waiting'> & { readonly clock: Clock },
  what: 'lock' | 'unlock',
  work: () => Promise<T>,
): Promise<T> {
  const { waiting } = ports;
  if (waiting === undefined) return await work();
  const done = new AbortController();
  const notice = naps(ports.clock, done.signal).then(
    () => waiting(what),
    () => undefined,
  );
  try {
    return await work();
  } finally {
    done.abort();
    await notice;
  }
}

/** Rejects when the signal is aborted first. */
async function naps(clock: Clock, signal: AbortSignal): Promise<void> {
  for (let nap = 0; nap < PATIENCE_NAPS; nap++) await clock.sleep(NAP_MS, signal);
}
