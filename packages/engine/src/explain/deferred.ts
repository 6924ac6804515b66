import { type InstanceAddr, ROOT_INSTANCE, UNKNOWN_KEY } from '@terrane/addresses';
import type { DeferredChange } from '../objects/change.ts';
import type { Repeatable } from '../evaluate/expansion.ts';
import type { PlanFacts } from './facts.ts';
import type { Cause } from './model.ts';
import { repeats } from './sources.ts';
import type { Tracer } from './trace.ts';
import type { Place, Worlds } from './worlds.ts';

/** Tells why changes are left to a later plan. */
export class Deferred {
  readonly #facts: PlanFacts;
  readonly #worlds: Worlds;
  readonly #tracer: Tracer;

  constructor(facts: PlanFacts, worlds: Worlds, tracer: Tracer) {
    this.#facts = facts;
    this.#worlds = worlds;
    this.#tracer = tracer;
  }

  /** Why one is: what its instances wait for, what it builds on, or what the provider says of it. */
  why({ change, reason }: DeferredChange): readonly Cause[] {
    const { addr } = change;
    const of = this.#facts.resource(addr);
    const base: Cause = {
      kind: 'deferred',
      address: addr.text,
      name: reason,
      ...(of === undefined ? {} : { range: of.range }),
      causes: [],
    };
    if (reason === 'instance_count_unknown') return [this.#ofInstances(addr, base)];
    if (reason !== 'deferred_prereq') return [base];
    return [{ ...base, ...this.#tracer.once(`deferred ${addr.text}`, () => this.#behind(addr)) }];
  }

  #behind(addr: InstanceAddr): readonly Cause[] {
    return this.#facts.deferredBehind(addr, this.#worlds.program).map((one): Cause => ({
      kind: 'dependency',
      address: one.change.addr.text,
      action: one.change.action,
      name: one.reason,
      ...this.#tracer.once(`deferred ${one.change.addr.text}`, () => this.why(one)),
    }));
  }

  /** What decides how often it is there: its own repetition, or that of a module around it. */
  #ofInstances(addr: InstanceAddr, base: Cause): Cause {
    const found = this.#open(addr);
    const expression = found === undefined ? undefined : repeats(found.of);
    if (found === undefined || expression === undefined) return base;
    const { range } = expression;
    const behind = this.#tracer.once(`instances ${String(range)}`, () =>
      this.#tracer.unknown(expression, found.place, []),
    );
    return { ...base, range, ...behind };
  }

  #open(addr: InstanceAddr): { readonly of: Repeatable; readonly place: Place } | undefined {
    const { module } = addr.resource;
    let at = ROOT_INSTANCE;
    for (const [depth, name] of module.path.names.entries()) {
      const key = module.keys[depth];
      const child = at.child(name, key);
      const { call } = this.#facts.plan.configuration.modules.get(child.path.text) ?? {};
      if (key === UNKNOWN_KEY && call !== undefined) return { of: call, place: { module: at } };
      at = child;
    }
    const of = this.#facts.resource(addr);
    return of === undefined ? undefined : { of, place: { module } };
  }
}
