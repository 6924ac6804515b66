import type { State } from '@terrane/engine';
import {
  inModule,
  type Link,
  type Model,
  type Repeat,
  type Thing,
} from './random-configurations.ts';

/** An object of the reference model; ids of created objects are `new ADDRESS`. */
export interface ReferenceObject {
  readonly id: string;
  readonly name: string;
  readonly kind: string | null;
  readonly secret: string | null;
  readonly size: number;
}

/** The result of applying a configuration to a state. */
export interface Outcome {
  readonly objects: ReadonlyMap<string, ReferenceObject>;
  /** addresses at which something is made, and changed in place */
  readonly creates: readonly string[];
  readonly updates: readonly string[];
  /** ids of what goes */
  readonly deletes: readonly string[];
}

type Stored = ReferenceObject & { readonly tainted: boolean };

/** The keys of a repetition: as addresses have them, and as values. */
function keysOf(repeat: Repeat): readonly (readonly [string, string])[] {
  switch (repeat.kind) {
    case 'single':
      return [['', '']];
    case 'count':
      return Array.from({ length: repeat.count }, (_, index) => [`[${index}]`, `${index}`]);
    case 'each':
      return [...repeat.keys].sort().map((key) => [`["${key}"]`, key]);
  }
}

/**
 * Computes the result of an apply in an obviously correct way: one resource after the other, by rank, without plans,
 * steps or concurrency.
 */
export function referenceOutcome(before: State, model: Model): Outcome {
  const reference = new Reference(before, model);
  for (const [slot, thing] of model.things.entries())
    if (thing.present) reference.resource(slot, thing);
  return reference.outcome();
}

class Reference {
  readonly #model: Model;
  readonly #stored = new Map<string, Stored>();
  readonly #objects = new Map<string, ReferenceObject>();
  readonly #creates: string[] = [];
  readonly #updates: string[] = [];
  readonly #deletes: string[] = [];

  constructor(before: State, model: Model) {
    this.#model = model;
    for (const addr of before.managedInstances()) {
      const { current, deposed } = before.instance(addr) ?? {};
      for (const old of deposed?.values() ?? [])
        this.#deletes.push(storedOf(old.attributesJson).id);
      if (current === undefined) continue;
      const tainted = current.status === 'tainted';
      this.#stored.set(addr.text, { ...storedOf(current.attributesJson), tainted });
    }
    for (const [slot, thing] of model.things.entries()) this.#move(slot, thing);
  }

  outcome(): Outcome {
    const gone = [...this.#stored.values()].map((object) => object.id);
    return {
      objects: this.#objects,
      creates: this.#creates,
      updates: this.#updates,
      deletes: [...this.#deletes, ...gone],
    };
  }

  /** Objects are where their names say, and keep their place when a repetition by count comes or goes. */
  #move(slot: number, { labels, repeat }: Thing): void {
    const prefix = inModule(slot) ? /^(module\.m(?:\[[^\]]*\])?\.)/ : /^()/;
    for (const [index, label] of labels.slice(1).entries()) {
      for (const address of [...this.#stored.keys()]) {
        const [, module] = prefix.exec(address) ?? [];
        const old = `test_thing.${labels[index]}`;
        if (module === undefined || !isOf(address.slice(module.length), old)) continue;
        const key = address.slice(module.length + old.length);
        this.#rename(address, `${module}test_thing.${label}${key}`);
      }
    }
    // A `moved` block overrides where the state has an object.
    if (labels.length > 1) return;
    const now = `test_thing.${labels.at(-1)}`;
    for (const address of [...this.#stored.keys()]) {
      const [, module] = prefix.exec(address) ?? [];
      if (module === undefined) continue;
      const rest = address.slice(module.length);
      if (rest === now && repeat.kind === 'count') this.#rename(address, `${address}[0]`);
      if (rest === `${now}[0]` && repeat.kind === 'single')
        this.#rename(address, address.slice(0, -'[0]'.length));
    }
  }

  #rename(from: string, to: string): void {
    const object = this.#stored.get(from);
    if (object === undefined || this.#stored.has(to)) return;
    this.#stored.delete(from);
    this.#stored.set(to, object);
  }

  resource(slot: number, thing: Thing): void {
    const modules = inModule(slot) ? keysOf(this.#model.module) : [['', ''] as const];
    for (const [moduleKey, tag] of modules) {
      for (const [key, value] of keysOf(thing.repeat)) {
        const address = `${this.#prefix(slot, moduleKey)}test_thing.${thing.labels.at(-1)}${key}`;
        this.#instance(address, {
          name: `s${slot}${tag}${value === '' ? '' : `-${value}`}`,
          kind: this.#text(slot, thing, 'kind', moduleKey),
          secret: this.#text(slot, thing, 'secret', moduleKey),
          size: thing.size,
        });
      }
    }
  }

  #instance(
    address: string,
    wanted: Omit<ReferenceObject, 'id' | 'size'> & { readonly size: number | undefined },
  ): void {
    const old = this.#stored.get(address);
    this.#stored.delete(address);
    if (old === undefined || old.tainted || old.kind !== wanted.kind) {
      if (old !== undefined) this.#deletes.push(old.id);
      this.#creates.push(address);
      this.#objects.set(address, { ...wanted, id: `new ${address}`, size: wanted.size ?? 1 });
      return;
    }
    const size = wanted.size ?? old.size;
    const isSame = old.name === wanted.name && old.secret === wanted.secret && old.size === size;
    if (!isSame) this.#updates.push(address);
    this.#objects.set(address, { ...wanted, id: old.id, size });
  }

  #prefix(slot: number, moduleKey: string): string {
    return inModule(slot) ? `module.m${moduleKey}.` : '';
  }

  /** Returns the value of an argument: a word, and the ids of the references. */
  #text(slot: number, thing: Thing, way: Link, moduleKey: string): string | null {
    const parts = way === 'kind' && thing.kind !== undefined ? [thing.kind] : [];
    const others = Object.entries(thing.links)
      .filter(
        ([other, link]) => link === way && this.#model.things[Number(other)]?.present === true,
      )
      .map(([other]) => Number(other));
    // A module is told of what is outside all at once, in one variable.
    const isOutside = (other: number): boolean => inModule(slot) && !inModule(other);
    for (const other of others) {
      if (isOutside(other)) continue;
      if (!inModule(other)) parts.push(this.#ids(other, ''));
      else if (inModule(slot)) parts.push(this.#ids(other, moduleKey));
      else {
        const all = keysOf(this.#model.module).map(([key]) => this.#ids(other, key));
        parts.push(all.join(','));
      }
    }
    const outsideIds = others.filter(isOutside).map((other) => this.#ids(other, ''));
    if (outsideIds.length > 0) parts.push(outsideIds.join(','));
    return parts.length === 0 ? null : parts.join('/');
  }

  #ids(slot: number, moduleKey: string): string {
    const thing = this.#model.things[slot];
    if (thing === undefined) return '';
    const start = `${this.#prefix(slot, moduleKey)}test_thing.${thing.labels.at(-1)}`;
    return keysOf(thing.repeat)
      .map(([key]) => this.#objects.get(start + key)?.id ?? '')
      .join(',');
  }
}

/** Returns true if an address without its module belongs to a resource. */
function isOf(address: string, resource: string): boolean {
  return address === resource || address.startsWith(`${resource}[`);
}

function storedOf(json: string | undefined): ReferenceObject {
  // As the test provider wrote it.
  return JSON.parse(json ?? '{}') as ReferenceObject;
}

/** Returns the differences between a state and the expected one, except for the ids of new objects. */
export function outcomeProblems(outcome: Outcome, before: State, after: State): readonly string[] {
  const problems: string[] = [];
  const old = new Set<string>();
  for (const addr of before.managedInstances()) {
    const { current, deposed } = before.instance(addr) ?? {};
    for (const object of [current, ...(deposed?.values() ?? [])])
      if (object !== undefined) old.add(storedOf(object.attributesJson).id);
  }
  const objects = new Map<string, ReferenceObject>();
  for (const addr of after.managedInstances()) {
    const { current, deposed } = after.instance(addr) ?? {};
    if ((deposed?.size ?? 0) > 0) problems.push(`${addr.text} has something set aside`);
    if (current?.status !== 'ready') problems.push(`${addr.text} is not ready`);
    if (current !== undefined) objects.set(addr.text, storedOf(current.attributesJson));
  }
  const realId = (text: string): string =>
    text.replace(/new [^,/]+/g, (id) => objects.get(id.slice('new '.length))?.id ?? id);
  for (const [address, wanted] of outcome.objects) {
    const real = objects.get(address);
    if (real === undefined) {
      problems.push(`${address} is missing`);
      continue;
    }
    if (wanted.id.startsWith('new ') && old.has(real.id)) problems.push(`${address} is not new`);
    for (const name of ['id', 'name', 'kind', 'secret', 'size'] as const) {
      const value = wanted[name];
      const text = typeof value === 'string' ? realId(value) : value;
      if (real[name] !== text) problems.push(`${address}.${name} is ${real[name]}, not ${text}`);
    }
  }
  for (const address of objects.keys())
    if (!outcome.objects.has(address)) problems.push(`${address} should not be there`);
  return problems;
}
