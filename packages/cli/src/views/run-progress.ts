import type { Plan, RunEvent } from '@terrane/engine';
import { timingKey, type Timings } from '@terrane/ops';
import type { LiveProgress, Running } from './live-lines.ts';

const APPLYING = {
  create: 'creating',
  update: 'modifying',
  delete: 'destroying',
  read: 'reading',
} as const;
const EPHEMERAL = { open: 'opening', renew: 'renewing', close: 'closing' } as const;

/** A step with a change, and the preceding steps with changes. */
interface Work {
  readonly key: string;
  readonly expectedMs: number | undefined;
}

/** Larger plans are estimated by the sum of their work alone. */
const MAX_STEPS = 20_000;

/** Estimates the progress of a run from its plan, its events and earlier timings. */
export class RunProgress implements LiveProgress {
  readonly #now: () => number;
  readonly #parallelism: number;
  readonly #running: Map<string, Running> = new Map();
  readonly #finished: Set<string> = new Set();
  #steps: readonly (Work | undefined)[] = [];
  /** positions of steps, each after those before it, with these */
  #order: readonly (readonly [number, readonly number[]])[] = [];
  #timings: Timings = new Map();
  #averages: Timings = new Map();
  #since: number | undefined;
  #done = 0;
  #total: number | undefined;
  #estimate: { readonly atMs: number; readonly ms: number | undefined } | undefined;
  isStopping = false;

  constructor(now: () => number, parallelism: number) {
    this.#now = now;
    this.#parallelism = Math.max(1, parallelism);
  }

  /** Running operations, oldest first. */
  get running(): readonly Running[] {
    return [...this.#running.values()];
  }

  get done(): number {
    return this.#done;
  }

  /** The number of changes; undefined while planning. */
  get total(): number | undefined {
    return this.#total === undefined ? undefined : Math.max(this.#total, this.#done);
  }

  /** The time since the first operation started. */
  get elapsedMs(): number {
    return this.#since === undefined ? 0 : this.#now() - this.#since;
  }

  /** Resets the progress for another part of the run. */
  reset(): void {
    this.#running.clear();
    this.#finished.clear();
    this.#steps = [];
    this.#order = [];
    this.#since = undefined;
    this.#done = 0;
    this.#total = undefined;
    this.#estimate = undefined;
  }

  /** Starts the progress of a plan. */
  start(plan: Pick<Plan, 'steps' | 'invocations'>, timings: Timings): void {
    this.reset();
    this.#since = this.#now();
    this.#timings = timings;
    this.#averages = averagesOf(timings);
    this.#steps = plan.steps.map((step) => {
      if (!('addr' in step) || step.kind === 'check' || step.kind === 'forget') return undefined;
      const key = timingKey(step.kind, step.addr.text);
      const deposed = step.kind === 'delete' ? step.deposed : undefined;
      return { key: keyOf(key, deposed), expectedMs: this.#expected(key) };
    });
    const works = this.#steps.filter((step) => step !== undefined).length;
    this.#total = works + plan.invocations.length;
    if (plan.steps.length <= MAX_STEPS) this.#order = orderOf(plan.steps);
  }

  /** Records a run event. */
  event(event: RunEvent): void {
    switch (event.kind) {
      case 'refresh-start':
        this.#begin(keyOf(`refresh ${event.addr.text}`, event.deposed), 'refreshing', event);
        break;
      case 'refresh-complete':
        this.#end(keyOf(`refresh ${event.addr.text}`, event.deposed));
        break;
      case 'read-start':
        this.#begin(timingKey('read', event.addr.text), 'reading', event);
        break;
      case 'read-complete':
        this.#end(timingKey('read', event.addr.text));
        break;
      case 'apply-start': {
        if (event.action === 'forget') break;
        const key = timingKey(event.action, event.addr.text);
        const expectedMs = this.#expected(key);
        this.#begin(keyOf(key, event.deposed), APPLYING[event.action], event, expectedMs);
        break;
      }
      case 'apply-complete':
      case 'apply-errored':
        if (event.action === 'forget') break;
        this.#end(keyOf(timingKey(event.action, event.addr.text), event.deposed));
        break;
      case 'ephemeral-start':
        this.#begin(`ephemeral ${event.action} ${event.addr.text}`, EPHEMERAL[event.action], event);
        break;
      case 'ephemeral-complete':
      case 'ephemeral-errored':
        this.#running.delete(`ephemeral ${event.action} ${event.addr.text}`);
        break;
      case 'provision-start':
        this.#detail(event.addr.text, event.provisioner);
        break;
      case 'provision-complete':
      case 'provision-errored':
        this.#detail(event.addr.text, undefined);
        break;
      case 'action-start':
        this.#begin(`invoke ${event.invocation.addr.text}`, 'invoking', event.invocation);
        break;
      case 'action-complete':
      case 'action-errored':
        this.#end(`invoke ${event.invocation.addr.text}`);
        break;
      default:
        break;
    }
  }

  /** The estimated remaining time, from earlier durations; undefined without enough data. */
  get remainingMs(): number | undefined {
    const now = this.#now();
    const known = this.#estimate;
    if (known !== undefined && now - known.atMs < 1000) {
      return known.ms === undefined ? undefined : Math.max(0, known.ms - (now - known.atMs));
    }
    const ms = this.#estimated(now);
    this.#estimate = { atMs: now, ms };
    return ms;
  }

  #begin(
    key: string,
    verb: string,
    { addr }: { readonly addr: { readonly text: string } },
    expectedMs?: number,
  ): void {
    const sinceMs = this.#now();
    this.#since ??= sinceMs;
    this.#running.set(key, { verb, address: addr.text, sinceMs, expectedMs });
  }

  #end(key: string): void {
    if (!this.#running.delete(key)) return;
    this.#finished.add(key);
    this.#done++;
  }

  #detail(address: string, detail: string | undefined): void {
    for (const [key, running] of this.#running) {
      if (running.address === address) this.#running.set(key, { ...running, detail });
    }
  }

  #expected(key: string): number | undefined {
    return this.#timings.get(key) ?? this.#averages.get(kindOf(key));
  }

  /**
   * Estimates the remaining time as the maximum of the longest chain of steps and the total work divided by the
   * parallelism.
   */
  #estimated(now: number): number | undefined {
    const open = this.#steps.filter((step) => step !== undefined && !this.#finished.has(step.key));
    const expected = open.flatMap((step) => step?.expectedMs ?? []);
    if (expected.length === 0 || expected.length * 2 < open.length) return undefined;
    const average = expected.reduce((sum, ms) => sum + ms, 0) / expected.length;
    const restOf = (step: Work | undefined): number => {
      if (step === undefined || this.#finished.has(step.key)) return 0;
      const running = this.#running.get(step.key);
      const passed = running === undefined ? 0 : now - running.sinceMs;
      return Math.max(0, (step.expectedMs ?? average) - passed);
    };
    let work = 0;
    for (const step of open) work += restOf(step);
    let longest = 0;
    const ends = new Float64Array(this.#steps.length);
    for (const [position, after] of this.#order) {
      let begin = 0;
      for (const each of after) begin = Math.max(begin, ends[each] ?? 0);
      const end = begin + restOf(this.#steps[position]);
      ends[position] = end;
      longest = Math.max(longest, end);
    }
    return Math.max(longest, work / this.#parallelism);
  }
}

function keyOf(key: string, deposed: string | undefined): string {
  return deposed === undefined ? key : `${key} ${deposed}`;
}

/** "create aws_vpc" of "create module.a[0].aws_vpc.main[1]". */
function kindOf(key: string): string {
  const [action = '', ...rest] = key.split(' ');
  const address = rest
    .join(' ')
    .replace(/\[(?:"(?:[^"\\]|\\.)*"|\d+)\]/g, '')
    .split('.');
  return `${action} ${address.at(-2) ?? ''}`;
}

function averagesOf(timings: Timings): Timings {
  const sums = new Map<string, { ms: number; count: number }>();
  for (const [key, ms] of timings) {
    const kind = kindOf(key);
    const sum = sums.get(kind) ?? { ms: 0, count: 0 };
    sums.set(kind, { ms: sum.ms + ms, count: sum.count + 1 });
  }
  return new Map([...sums].map(([kind, { ms, count }]) => [kind, ms / count]));
}

/** Returns positions of steps in dependency order. */
function orderOf(steps: Plan['steps']): readonly (readonly [number, readonly number[]])[] {
  const positions = new Map(steps.map((step, i) => [step.id, i]));
  const before = steps.map((step) => step.after.flatMap((id) => positions.get(id) ?? []));
  const users: number[][] = steps.map(() => []);
  const waiting = before.map((each, i) => {
    for (const position of each) users[position]?.push(i);
    return each.length;
  });
  const ready = steps.flatMap((_, i) => (waiting[i] === 0 ? [i] : []));
  const order: (readonly [number, readonly number[]])[] = [];
  for (let position = ready.pop(); position !== undefined; position = ready.pop()) {
    order.push([position, before[position] ?? []]);
    for (const user of users[position] ?? []) {
      waiting[user] = (waiting[user] ?? 0) - 1;
      if (waiting[user] === 0) ready.push(user);
    }
  }
  return order;
}
