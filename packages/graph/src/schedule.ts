import { type Graph, reversed } from './graph.ts';
import { cycleThrough, type Order, orderOf } from './order.ts';
import { ReadyHeap } from './ready-heap.ts';

/** The outcome of a node. */
export type Outcome = 'unstarted' | 'done' | 'failed' | 'skipped';

/** The result of running a node: `'failed'` keeps its dependents from running. */
export type Ran = 'failed' | void;

/** Delays ready nodes, for instance until a resource that they need is available. */
export interface Gate {
  /** Returns true if a ready node may start now. Otherwise the gate keeps it and returns it from `next` later. */
  admits(node: number): boolean;
  /**
   * Returns kept nodes that may start now, which `admits` accepts then; none if they have to wait for a running node.
   * Called when no other node is ready. If `isIdle`, no node is running, so the result must not be empty while the
   * gate keeps any node.
   */
  next(isIdle: boolean): readonly number[];
}

/** The nodes to run and the settings of the run. */
export interface Schedule {
  /** Edges from each node to the nodes that must complete before it. */
  readonly dependencies: Graph;
  /** The order of `dependencies` if it is known; otherwise it is computed. */
  readonly order?: Order;
  /**
   * Executes a node. Returning without a promise completes the node at once and costs no turn of the event loop. An
   * exception or rejection is a defect of the caller: nothing new starts, running nodes are awaited, and the schedule
   * rejects with that error.
   */
  readonly run: (node: number) => Ran | Promise<Ran>;
  /** The maximum number of pending promises; at least 1. */
  readonly limit: number;
  /** Delays ready nodes. All nodes start as soon as they are ready if absent. */
  readonly gate?: Gate;
  /** A graceful stop: once aborted, nothing new starts, and running nodes are awaited. */
  readonly signal?: AbortSignal;
  /** The expected cost of a node, default: 1; nodes on the most expensive chain start first. */
  readonly cost?: (node: number) => number;
  /** Called for each node that is skipped; `because` is the failed dependency. */
  readonly onSkip?: (node: number, failedDependency: number) => void;
  /** A clock in milliseconds, used to yield to the event loop after each `slice` of synchronous work. */
  readonly now?: () => number;
  /** Milliseconds of synchronous work before yielding to the event loop; default: 10. */
  readonly slice?: number;
}

/** The outcome of a schedule. */
export interface Scheduled {
  /** True if the signal prevented at least one node from starting. */
  readonly stopped: boolean;
  /** The number of nodes by outcome. */
  readonly counts: Readonly<Record<Outcome, number>>;
  /** The outcome of one node. */
  outcome(node: number): Outcome;
}

/** The error for a schedule with a dependency cycle. */
export class CycleError extends Error {
  override readonly name = 'CycleError';
  /** Each node depends on the next one, and the last on the first. */
  readonly cycle: readonly number[];

  constructor(cycle: readonly number[]) {
    super(`a schedule cannot have a cycle: ${cycle.join(' → ')}`);
    this.cycle = cycle;
  }
}

/**
 * Runs every node after its dependencies, several concurrently, those with the longest chain of dependents first.
 * Dependents of failed nodes are skipped. The overhead of the scheduler is linear in nodes and edges, except for the
 * heap of ready nodes. Throws CycleError if no order exists.
 */
export async function schedule(work: Schedule): Promise<Scheduled> {
  const run = new Run(work);
  return await run.finished;
}

const OUTCOMES = ['unstarted', 'done', 'failed', 'skipped'] as const;
const UNSTARTED = 0;
const DONE = 1;
const FAILED = 2;
const SKIPPED = 3;

/** The value that represents the absence of a failed node. */
const NO_NODE = 0xffffffff;
/** Nodes started between two checks of the clock, and, without a clock, before yielding to the event loop. */
const CLOCK_CHECK_INTERVAL = 32;
const YIELD_INTERVAL = 512;

class Run {
  readonly finished: Promise<Scheduled>;
  readonly #work: Schedule;
  readonly #dependents: Graph;
  readonly #waiting: Uint32Array;
  readonly #blame: Uint32Array;
  readonly #outcome: Uint8Array;
  readonly #ready: ReadyHeap;
  readonly #onAbort: () => void;
  #pending = 0;
  /** Nodes started since the last yield to the event loop, and the time of the next yield. */
  #since = 0;
  #until = 0;
  #pumping = false;
  #isPumpQueued = false;
  #yielding = false;
  #stopping = false;
  #isSettled = false;
  #defect: { readonly error: unknown } | undefined;
  #resolve: (result: Scheduled) => void = () => {};
  #reject: (error: unknown) => void = () => {};

  constructor(work: Schedule) {
    const { dependencies, signal } = work;
    const { size, starts } = dependencies;
    this.#work = work;
    this.#dependents = reversed(dependencies);
    this.#ready = new ReadyHeap(criticalPaths(work, this.#dependents));
    this.#waiting = new Uint32Array(size);
    this.#blame = new Uint32Array(size).fill(NO_NODE);
    this.#outcome = new Uint8Array(size);
    for (let node = 0; node < size; node++) {
      const count = (starts[node + 1] ?? 0) - (starts[node] ?? 0);
      this.#waiting[node] = count;
      if (count === 0) this.#ready.push(node);
    }
    this.#onAbort = () => this.#stop();
    this.finished = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    if (signal?.aborted === true) this.#stopping = true;
    else signal?.addEventListener('abort', this.#onAbort, { once: true });
    this.#resume();
    this.#pump();
  }

  /** Starts ready nodes; ends the run if nothing is left to start or to await. */
  #pump(): void {
    if (this.#yielding || this.#pumping || this.#isSettled) return;
    this.#pumping = true;
    while (!this.#stopping && this.#pending < this.#work.limit && !this.#yielding) {
      const node = this.#next();
      if (node === undefined) break;
      this.#start(node);
      if (this.#shouldYield()) this.#yield();
    }
    this.#pumping = false;
    const idle = this.#pending === 0 && !this.#yielding;
    if (idle && (this.#stopping || this.#ready.size === 0)) this.#end();
  }

  /** Removes and returns the ready node that starts next. */
  #next(): number | undefined {
    const { gate } = this.#work;
    if (gate === undefined) return this.#ready.pop();
    for (;;) {
      const node = this.#ready.pop();
      if (node !== undefined) {
        if (gate.admits(node)) return node;
        continue;
      }
      const admitted = gate.next(this.#pending === 0);
      if (admitted.length === 0) return undefined;
      for (const kept of admitted) this.#ready.push(kept);
    }
  }

  #start(node: number): void {
    try {
      const ran = this.#work.run(node);
      if (typeof ran === 'object') this.#await(node, ran);
      else this.#complete(node, ran);
    } catch (error) {
      this.#break(error);
    }
  }

  #await(node: number, ran: Promise<Ran>): void {
    this.#pending++;
    ran.then((result) => this.#finish(node, result), this.#fail);
  }

  /** Records the end of an awaited node, and continues with others. */
  #finish(node: number, result: Ran): void {
    try {
      this.#complete(node, result);
    } catch (error) {
      this.#break(error);
    }
    this.#pending--;
    this.#pumpLater();
  }

  readonly #fail = (error: unknown): void => {
    this.#break(error);
    this.#pending--;
    this.#pumpLater();
  };

  /**
   * Starts ready nodes two microtasks later, once for all nodes that end until then: a gate decides by the nodes that
   * are ready, so the dependents of nodes that end together must be ready first.
   */
  #pumpLater(): void {
    if (this.#isPumpQueued) return;
    this.#isPumpQueued = true;
    queueMicrotask(this.#queuePump);
  }

  readonly #queuePump = (): void => queueMicrotask(this.#runQueuedPump);

  readonly #runQueuedPump = (): void => {
    this.#isPumpQueued = false;
    this.#pump();
  };

  /** Returns true if it is time to yield to the event loop; promises that resolve immediately do not yield. */
  #shouldYield(): boolean {
    const { now } = this.#work;
    this.#since++;
    if (now === undefined) return this.#since >= YIELD_INTERVAL;
    return this.#since % CLOCK_CHECK_INTERVAL === 0 && now() >= this.#until;
  }

  /** Yields to timers and I/O, then continues. */
  #yield(): void {
    this.#yielding = true;
    setImmediate(() => {
      this.#resume();
      this.#pump();
    });
  }

  #resume(): void {
    const { now, slice = 10 } = this.#work;
    this.#yielding = false;
    this.#since = 0;
    if (now !== undefined) this.#until = now() + slice;
  }

  /** Records the end of a node and of every dependent that this decides, without recursion. */
  #complete(first: number, ran: Ran): void {
    this.#outcome[first] = ran === 'failed' ? FAILED : DONE;
    let decided: number[] | undefined;
    for (let node: number | undefined = first; node !== undefined; node = decided?.pop()) {
      const culprit = (this.#outcome[node] ?? 0) === FAILED ? node : (this.#blame[node] ?? 0);
      const { starts, targets } = this.#dependents;
      const end = starts[node + 1] ?? 0;
      for (let edge = starts[node] ?? 0; edge < end; edge++) {
        const dependent = targets[edge] ?? 0;
        if (culprit < (this.#blame[dependent] ?? 0)) this.#blame[dependent] = culprit;
        const remaining = (this.#waiting[dependent] ?? 0) - 1;
        this.#waiting[dependent] = remaining;
        if (remaining > 0) continue;
        if ((this.#blame[dependent] ?? 0) === NO_NODE) this.#ready.push(dependent);
        else {
          this.#skip(dependent);
          (decided ??= []).push(dependent);
        }
      }
    }
  }

  #skip(node: number): void {
    this.#outcome[node] = SKIPPED;
    this.#work.onSkip?.(node, this.#blame[node] ?? 0);
  }

  #break(error: unknown): void {
    this.#defect ??= { error };
    this.#stopping = true;
  }

  #stop(): void {
    this.#stopping = true;
    this.#pump();
  }

  #end(): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#work.signal?.removeEventListener('abort', this.#onAbort);
    if (this.#defect !== undefined) this.#reject(this.#defect.error);
    else this.#resolve(resultOf(this.#outcome));
  }
}

function resultOf(outcome: Uint8Array): Scheduled {
  const counts: Record<Outcome, number> = { unstarted: 0, done: 0, failed: 0, skipped: 0 };
  const nameOf = (code: number): Outcome => OUTCOMES[code] ?? 'unstarted';
  for (let node = 0; node < outcome.length; node++) counts[nameOf(outcome[node] ?? UNSTARTED)]++;
  return {
    stopped: counts.unstarted > 0,
    counts,
    outcome: (node) => nameOf(outcome[node] ?? UNSTARTED),
  };
}

/** Returns for each node the cost of the most expensive chain from it to a node without dependents. */
function criticalPaths(work: Schedule, { starts, targets }: Graph): readonly number[] {
  const { order, cycles } = work.order ?? orderOf(work.dependencies);
  const [members] = cycles;
  if (members !== undefined) {
    const start = members[0] ?? 0;
    throw new CycleError(cycleThrough(work.dependencies, start) ?? members);
  }
  // Unlike an array of doubles, an array of small integers is read without an allocation.
  const priority: number[] = new Array<number>(order.length).fill(0);
  for (let index = order.length - 1; index >= 0; index--) {
    const node = order[index] ?? 0;
    let longest = 0;
    const end = starts[node + 1] ?? 0;
    for (let edge = starts[node] ?? 0; edge < end; edge++) {
      longest = Math.max(longest, priority[targets[edge] ?? 0] ?? 0);
    }
    priority[node] = longest + (work.cost?.(node) ?? 1);
  }
  return priority;
}
