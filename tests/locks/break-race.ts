// Two processes that force-unlock the same lock, one of which is held up until another client has acquired the state.
import { randomUUID } from 'node:crypto';
import { createConnection, createServer, type Socket } from 'node:net';
import type { Backend } from '@terrane/backends';
import { type Host, type HttpRequest, type LockInfo, LockLost, type Storage } from '@terrane/host';
import type { LockBackend } from './lock-backends.ts';
import type { Target } from './lock-task.ts';
import { openTarget } from './open-target.ts';

/** The result of races on one storage. */
export interface BreakRaces {
  /** number of requests of a force-unlock, each of which was held up once */
  readonly requests: number;
  readonly problems: readonly string[];
}

/** More requests than any force-unlock makes. */
const MAX_REQUESTS = 40;
const AT_ONCE = 5;

/** Holds up each request of a force-unlock in turn, while another force-unlock and a new lock overtake it. */
export async function breakRaces(backend: LockBackend, folder: string): Promise<BreakRaces> {
  const contended = await backend.start(folder);
  const problems: string[] = [];
  try {
    for (let first = 1; first <= MAX_REQUESTS; first += AT_ONCE) {
      const requests = Array.from({ length: AT_ONCE }, (_, index) => first + index);
      const outcomes = await Promise.all(
        requests.map(async (request) =>
          race(await contended.another(`break${request}`), request).then(
            ({ wasHeldUp, problems: own }) => {
              problems.push(...own.map((each) => `request ${request}: ${each}`));
              return wasHeldUp;
            },
          ),
        ),
      );
      if (outcomes.includes(false))
        return { requests: first - 1 + outcomes.indexOf(false), problems };
    }
    throw new Error('a force-unlock never ends');
  } finally {
    await contended.stop();
  }
}

interface RaceOutcome {
  readonly wasHeldUp: boolean;
  readonly problems: readonly string[];
}

async function race(target: Target, request: number): Promise<RaceOutcome> {
  const backends: Backend[] = [];
  const gate = new RequestGate();
  const open = async (to: Target, over?: (host: Host) => Host): Promise<Storage> =>
    await openTarget(to, over, (backend) => void backends.push(backend));
  try {
    const abandoned = await open(target);
    // PostgreSQL has one lock for all states that are being created.
    await abandoned.write([new TextEncoder().encode('{}')]);
    await acquire(abandoned);
    const fast = await open(target);
    const slow = await open(await gate.target(target), (host) => gate.host(host));
    const next = await open(target);
    const id = (await fast.lockHolder?.())?.id ?? (await idOf(fast));
    gate.holdUp(request);
    const slowEnded = settled(slow.unlock?.(id));
    await Promise.race([gate.reached, slowEnded]);
    const problems: string[] = [];
    const fastProblem = await settled(fast.unlock?.(id));
    const isExcluded = fastProblem?.includes('Another process is locking or unlocking') ?? false;
    if (fastProblem !== undefined && !isExcluded && (await fast.lockHolder?.()) !== undefined) {
      problems.push(`the other force-unlock failed: ${fastProblem}`);
    }
    const wasHeldUp = gate.isHolding;
    await acquire(next, () => gate.open());
    gate.open();
    await slowEnded;
    try {
      await next.confirmLock?.();
    } catch (error) {
      if (!(error instanceof LockLost)) throw error;
      problems.push(`the new lock was removed: ${error.message}`);
    }
    const attempt = await (await open(target)).lock?.(requestOf());
    if (attempt?.kind !== 'held') problems.push('the state could be locked twice');
    else if (attempt.info?.operation === '' && target.kind !== 'cloud' && !isAnonymous(target))
      problems.push('the information of the new lock was removed');
    return { wasHeldUp, problems };
  } finally {
    gate.open();
    for (const backend of backends) await backend.close?.();
    gate.close();
  }
}

/** Locks of PostgreSQL are sessions, which do not say what they are for. */
function isAnonymous(target: Target): boolean {
  return target.kind === 'backend' && target.type === 'pg';
}

/** The ID that a refused attempt names, for services that cannot be asked. */
async function idOf(storage: Storage): Promise<string> {
  const outcome = await storage.lock?.(requestOf());
  const id = outcome?.kind === 'held' ? outcome.info?.id : undefined;
  if (id === undefined) throw new Error('the lock has no ID');
  return id;
}

/** Acquires a lock. `release` ends what excludes everybody else, such as a force-unlock that is not finished. */
async function acquire(storage: Storage, release?: () => void): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    if (attempt === 20) release?.();
    const outcome = await storage.lock?.(requestOf());
    if (outcome?.kind === 'locked') return;
    if (attempt === 600) throw new Error(`no lock: ${outcome?.error ?? 'there are none'}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function requestOf(): LockInfo {
  return {
    id: randomUUID(),
    operation: 'OperationTypeApply',
    info: '',
    who: 'tester@machine',
    version: '1.11.4',
    created: '2026-01-02T03:04:05.000Z',
    path: '',
  };
}

/** The message of a rejection; undefined after a success. */
async function settled(work: Promise<void> | undefined): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** A promise that is resolved from outside. */
class Signal {
  raise = (): void => undefined;
  readonly raised = new Promise<void>((resolve) => (this.raise = resolve));
}

/** Holds up one request of a storage, and all that follow it, until it is opened. */
class RequestGate {
  #left = Infinity;
  #isHolding = false;
  readonly #reached = new Signal();
  readonly #opened = new Signal();
  readonly #closing: (() => void)[] = [];

  /** Resolves when the request waits. */
  get reached(): Promise<void> {
    return this.#reached.raised;
  }

  get isHolding(): boolean {
    return this.#isHolding;
  }

  /** Holds up the request of that number, counted from here. */
  holdUp(request: number): void {
    this.#left = request;
  }

  open(): void {
    this.#opened.raise();
  }

  async #pass(): Promise<void> {
    if (--this.#left > 0) return;
    this.#isHolding = true;
    this.#reached.raise();
    await this.#opened.raised;
  }

  host(host: Host): Host {
    const request = async (url: string, options?: HttpRequest) => {
      await this.#pass();
      return await host.http.request(url, options);
    };
    return { ...host, http: { ...host.http, request } };
  }

  /** A target whose requests pass the gate where they are not HTTP. */
  async target(target: Target): Promise<Target> {
    if (target.kind !== 'backend' || target.type !== 'pg') return target;
    const address = String(target.config['conn_str']);
    const port = /:(\d+)\//.exec(address)?.[1] ?? '';
    const conn_str = address.replace(`:${port}/`, `:${await this.#through(Number(port))}/`);
    return { ...target, config: { ...target.config, conn_str } };
  }

  async #through(port: number): Promise<number> {
    const sockets = new Set<Socket>();
    const server = createServer((near) => {
      const far = createConnection({ host: '127.0.0.1', port });
      let last = Promise.resolve();
      near.on('data', (piece) => {
        last = last.then(async () => {
          await this.#pass();
          far.write(piece);
        });
      });
      far.on('data', (piece) => near.write(piece));
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        sockets.add(one);
        one.on('error', () => undefined);
        one.on('close', () => other.destroy());
      }
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    this.#closing.push(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    return address.port;
  }

  close(): void {
    for (const close of this.#closing) close();
  }
}
