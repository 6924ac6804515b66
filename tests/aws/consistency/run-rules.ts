// Defines the tests of consistency rules: each rule is exercised through the fault proxy.
import type { ResourceLife, Step as Outcome, Written } from '@terrane/provider/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MOTO } from '../../backends/moto.ts';
import type { AwsFailure } from '../aws-answer.ts';
import type { FaultProxy, FaultScope, Trouble } from '../fault-proxy.ts';
import { startWorld, type World } from '../moto-world.ts';
import { play, type Outcome as Played, type Scenario } from '../scenario.ts';
import {
  operationLabel,
  type IgnoreRule,
  type RetryRule,
  type Rule,
  type ServiceRules,
  type Subject,
  type TypeRules,
  type WaitRule,
} from './rules.ts';

const SECOND = 1000;
/** Time that other parts of the operation and the last poll may add to a limit. */
const SLACK = 75 * SECOND;
/** Pause between polls in tests that last until a limit of more than `LONG_LIMIT`; shorter than the slack. */
const STRIDE = 50 * SECOND;
const LONG_LIMIT = 240 * SECOND;
/** An error that no rule retries. */
const OTHER: AwsFailure = { status: 400, code: 'ItIsNotThat', message: 'This is permanent.' };

/** Defines a test for every statement of every rule of a service. */
export function testRules({ service, types }: ServiceRules): void {
  it.runIf(process.env['CI'] === 'true')('moto is available', () => expect(MOTO).toBe(true));
  describe.runIf(MOTO)(`consistency rules of ${service}`, () => {
    let world: World;
    beforeAll(async () => {
      world = await startWorld();
    });
    afterAll(() => world.stop());
    for (const typeRules of types.filter(({ rules }) => rules.length > 0)) {
      describe(typeRules.type, () => {
        for (const rule of typeRules.rules) {
          describe(`${rule.step}, ${operationLabel(rule)}`, () => {
            const trial = new Trial(() => world.proxy, typeRules, rule);
            if (rule.kind === 'retry') testRetry(trial, rule);
            else if (rule.kind === 'ignore') testIgnored(trial, rule);
            else testWait(trial, rule);
          });
        }
      });
    }
  });
}

function testRetry(trial: Trial, rule: RetryRule): void {
  const { limit, errors } = rule;
  for (const failure of errors) {
    const shown =
      failure.anyMessage === true ? failure.code : `${failure.code}: ${failure.message}`;
    it(`retries ${shown}`, async () => {
      const { error, fault } = await trial.run({ kind: 'failure', failure }, 3);
      expect([error, fault.hits]).toEqual(['', 3]);
    });
  }
  const [failure = OTHER] = errors;
  it(`reports the last error when ${limit / SECOND} s are over`, async () => {
    const lasting = { kind: 'failure', failure } as const;
    const stride = strideOf(limit);
    const { error, elapsedMs, fault } = await trial.run(lasting, undefined, { stride });
    expect(error).toContain(failure.message);
    expect(fault.hits).toBeGreaterThan(1);
    expectAround(elapsedMs, limit);
  });
  it('reports other errors at once', async () => {
    const { error, fault } = await trial.run({ kind: 'failure', failure: OTHER });
    expect(error).toContain(OTHER.message);
    expect(fault.hits).toBe(1);
  });
  if (errors.some(({ anyMessage }) => anyMessage !== true)) {
    it('reports the same code with another message at once', async () => {
      const specific = errors.find(({ anyMessage }) => anyMessage !== true) ?? OTHER;
      const other = { ...specific, message: OTHER.message };
      const { error, fault } = await trial.run({ kind: 'failure', failure: other });
      expect(error).toContain(OTHER.message);
      expect(fault.hits).toBe(1);
    });
  }
  testBound(trial, { kind: 'failure', failure });
}

function testIgnored(trial: Trial, { errors }: IgnoreRule): void {
  for (const failure of errors) {
    it(`takes ${failure.code} for success`, async () => {
      const { error, fault } = await trial.run({ kind: 'failure', failure, done: true }, 1);
      expect([error, fault.hits]).toEqual(['', 1]);
    });
  }
}

function testWait(trial: Trial, rule: WaitRule): void {
  const { pending, target, limit, unexpected, missing, show, status } = rule;
  const { matches = 1, delay = 0, interval = 0 } = rule;
  const { timeoutMessage = /timeout while waiting/ } = rule;
  const gone = target.length === 0;
  const states = pending.length > 0 ? pending : ['something else'];
  /** The answers report the pending states in turn. */
  const inTurn = (isFrozen = false): Trouble => {
    let polls = 0;
    return shown((body) => show(body, states[polls++ % states.length] ?? ''), isFrozen);
  };
  const shown = (change: (body: string) => string, isFrozen = false): Trouble =>
    gone
      ? { kind: 'stale', change }
      : { kind: 'changed', change, isFrozen, ...(status !== undefined && { status }) };
  const polls = Math.max(states.length, 4);

  const aim = gone ? 'until it is gone' : `for ${target.join(', ')}`;
  it(`waits ${aim}`, async () => {
    const { error, fault, elapsedMs } = await trial.run(inTurn(), polls);
    expect([error, fault.hits]).toEqual(['', polls]);
    expect(elapsedMs).toBeGreaterThanOrEqual(delay + (polls - 1) * interval);
  });
  it(`gives up after ${limit / SECOND} s`, async () => {
    const { error, elapsedMs } = await trial.run(inTurn(true), undefined, {
      stride: strideOf(limit),
    });
    expect(error).toMatch(/^(waiting for|reading) /);
    expect(error).toMatch(timeoutMessage);
    expectAround(elapsedMs, limit);
  });
  if (unexpected !== undefined) {
    const { state, reason = '', show: showOther = show } = unexpected;
    const how = reason === '' ? 'at once' : 'with the reason';
    it(`fails in state ${state} ${how}`, async () => {
      const { error, elapsedMs } = await trial.run(shown((body) => showOther(body, state)));
      expect(error).toContain(`unexpected state '${state}'`);
      expect(error).toContain(reason);
      expect(elapsedMs).toBeLessThan(delay + 5 * SECOND);
    });
  }
  if (missing !== undefined) {
    it(`treats ${missing.code} as not yet visible`, async () => {
      const { error, fault } = await trial.run({ kind: 'failure', failure: missing }, 5);
      expect([error, fault.hits]).toEqual(['', 5]);
    });
  }
  if (matches > 1) {
    it(`requires ${matches} matches in a row`, async () => {
      const looks = (proxy: FaultProxy): number =>
        proxy.requests.filter(
          ({ service, operation, url, body }) =>
            service === rule.service &&
            fits(rule.operation, operation) &&
            (rule.about === undefined || fits(rule.about, `${url}\n${body}`, true)),
        ).length;
      const never = { ...trial.scope(1), after: 10_000 };
      const usual = looks((await trial.run(inTurn(), 1, { scope: never })).proxy);
      const later = { ...trial.scope(1), after: (rule.after ?? 0) + matches - 1 };
      const { error, fault, proxy } = await trial.run(inTurn(), 1, { scope: later });
      expect([error, fault.hits]).toEqual(['', 1]);
      // A pending state starts the count again; an object that is missing in between does not.
      const more = pending.length > 0 || gone ? matches : 1;
      expect(looks(proxy) - usual).toBe(more);
    });
  }
  testBound(trial, inTurn());
}

function fits(wanted: string | RegExp, text: string, within = false): boolean {
  if (typeof wanted !== 'string') return wanted.test(text);
  return within ? text.includes(wanted) : text === wanted;
}

/** A `timeouts` block bounds everything that the operation waits for. */
function testBound(trial: Trial, trouble: Trouble): void {
  it('is bounded by the timeouts block, where there is one', async () => {
    if (!(await trial.hasTimeout())) return;
    const { error, elapsedMs } = await trial.run(trouble, undefined, { timeout: '8s' });
    expect(error).not.toBe('');
    expect(elapsedMs).toBeLessThan(45 * SECOND);
  });
}

/** Pauses of a test that lasts until a limit. Where that is far away, the clock leaves out most polls. */
function strideOf(limit: number): number {
  return limit > LONG_LIMIT ? STRIDE : 0;
}

function expectAround(elapsedMs: number, limit: number): void {
  expect(elapsedMs).toBeGreaterThanOrEqual(limit - 2 * SECOND);
  expect(elapsedMs).toBeLessThanOrEqual(limit + SLACK);
}

interface TrialOptions {
  /** default: that of the rule */
  readonly scope?: FaultScope;
  /** what the `timeouts` block has for the step */
  readonly timeout?: string;
  /** see {@link Scenario.stride} */
  readonly stride?: number;
}

/** Runs the scenario of one rule. */
class Trial {
  readonly #proxy: () => FaultProxy;
  readonly #type: TypeRules;
  readonly #rule: Rule;

  constructor(proxy: () => FaultProxy, type: TypeRules, rule: Rule) {
    this.#proxy = proxy;
    this.#type = type;
    this.#rule = rule;
  }

  /** The requests that the fault is for. */
  scope(times: number | undefined): FaultScope {
    const { service, operation, about, after } = this.#rule;
    return {
      service,
      operation,
      ...(about !== undefined && { about }),
      ...(after !== undefined && { after }),
      ...(times !== undefined && { times }),
    };
  }

  /** Returns true if users can set `timeouts` for the step. */
  async hasTimeout(): Promise<boolean> {
    const { actors } = await import('../moto-world.ts');
    const { checked } = await actors(this.#proxy());
    const block = (await checked.schema()).resources[this.#type.type]?.block;
    const { step } = this.#rule;
    const timeouts = block?.blocks['timeouts']?.block.attributes;
    return timeouts !== undefined && Object.hasOwn(timeouts, step);
  }

  /**
   * Plays the step with a fault.
   *
   * @param times how many requests the fault is for; undefined: all
   */
  async run(
    trouble: Trouble,
    times?: number,
    options: TrialOptions = {},
  ): Promise<Played & { readonly proxy: FaultProxy }> {
    const { scope = this.scope(times), timeout, stride = 0 } = options;
    const { step } = this.#rule;
    const subject: Subject = { ...this.#type.subject, ...this.#rule.subject };
    const { prepare, written, updated, answers } = subject;
    const timed = (make: Subject['written']): Subject['written'] =>
      timeout === undefined ? make : (name) => ({ ...make(name), timeouts: { [step]: timeout } });
    if (step === 'update' && updated === undefined) throw new Error('the update is not written');
    const scenario: Scenario = {
      type: this.#type.type,
      ...(prepare && { prepare }),
      ...(answers && { answers }),
      ...(step !== 'create' && { before: timed(written) }),
      written: timed((step === 'update' ? updated : undefined) ?? written),
      trouble: (proxy) => proxy.add(scope, trouble),
      stride,
      act: ACTS[step],
    };
    const proxy = this.#proxy();
    return { ...(await play(proxy, scenario)), proxy };
  }
}

const ACTS: Readonly<
  Record<Rule['step'], (life: ResourceLife, written: Written) => Promise<Outcome>>
> = {
  create: (life, written) => life.apply(written),
  read: (life) => life.refresh(),
  update: (life, written) => life.apply(written),
  delete: (life) => life.destroy(),
};
