import { type InstanceAddr, ROOT_INSTANCE, UNKNOWN_KEY } from '@terrane/addresses';
import type { DeferredChange } from '../objects/change.ts';
import type { Repeatable } from '../evaluate/expansion.ts';
import type { PlanFacts } from './facts.ts';
import type { Cause } from './model.ts';
import { repeats } from './sources.ts';
import type { Tracer } from './trace.ts';
import type { Place, Worlds } from './worlds.ts';

/** Explains deferred changes. */
export class Deferred {
  readonly #facts: PlanFacts;
  readonly #worlds: Worlds;
  readonly #tracer: Tracer;

  constructor(facts: PlanFacts, worlds: Worlds, tracer: Tracer) {
    this.#facts = facts;
    this.#worlds = worlds;
    this.#tracer = tracer;
  }

  /** Returns the causes of a deferral: unknown instances, deferred dependencies, or the reason of the provider. */
  why({ change, reason }: DeferredChange): readonly Cause[] {
    const { addr } = change;
    const block = this.#facts.resource(addr);
    const base: Cause = {
      kind: 'deferred',
      address: addr.text,
      name: reason,
      ...(block === undefined ? {} : { range: block.range }),
      causes: [],
    };
    if (reason === 'instance_count_unknown') return [this.#unknownRepetition(addr, base)];
    if (reason !== 'deferred_prereq') return [base];
    return [
      {
        ...base,
        ...this.#tracer.once(`deferred ${addr.text}`, () => this.#deferredPrerequisites(addr)),
      },
    ];
  }

  #deferredPrerequisites(addr: InstanceAddr): readonly Cause[] {
    return this.#facts.deferredBehind(addr, this.#worlds.program).map((prerequisite): Cause => ({
      kind: 'dependency',
      address: prerequisite.change.addr.text,
      action: prerequisite.change.action,
      name: prerequisite.reason,
      ...this.#tracer.once(`deferred ${prerequisite.change.addr.text}`, () =>
        this.why(prerequisite),
      ),
    }));
  }

  /** Returns the cause for an unknown `count` or `for_each` of the resource, or of a module that contains it. */
  #unknownRepetition(addr: InstanceAddr, base: Cause): Cause {
    const repetition = this.#repetitionOf(addr);
    const expression = repetition === undefined ? undefined : repeats(repetition.repeatable);
    if (repetition === undefined || expression === undefined) return base;
    const { range } = expression;
    const explanation = this.#tracer.once(`instances ${String(range)}`, () =>
      this.#tracer.unknown(expression, repetition.place, []),
    );
    return { ...base, range, ...explanation };
  }

  #repetitionOf(
    addr: InstanceAddr,
  ): { readonly repeatable: Repeatable; readonly place: Place } | undefined {
    const { module } = addr.resource;
    let instance = ROOT_INSTANCE;
    for (const [depth, name] of module.path.names.entries()) {
      const key = module.keys[depth];
      const child = instance.child(name, key);
      const { call } = this.#facts.plan.configuration.modules.get(child.path.text) ?? {};
      if (key === UNKNOWN_KEY && call !== undefined)
        return { repeatable: call, place: { module: instance } };
      instance = child;
    }
    const block = this.#facts.resource(addr);
    return block === undefined ? undefined : { repeatable: block, place: { module } };
  }
}
