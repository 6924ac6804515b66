import { MARKED_BIT, type Marks, NO_MARKS, unionMarks } from './marks.ts';
import { hashOf } from './set-order.ts';
import type { Step } from './step.ts';
import { isPrimitive } from './type.ts';
import type { MarksAt, ValueData } from './value-data.ts';

/** The part of a value that the functions below use; they implement methods of `Value` and do not import it. */
interface Markable<V> extends ValueData {
  unmark(): V;
  withMarks(marks: Marks): V;
  withParts(payload: readonly V[] | ReadonlyMap<string, V>): V;
  entries(): readonly (readonly [V, V])[];
  rawEquals(other: V): boolean;
}

/** Returns the value without any marks, and their union. For `Value.unmarkDeep`. */
export function withoutMarks<V extends Markable<V>>(
  v: V,
): {
  readonly value: V;
  readonly marks: Marks;
} {
  const collected = { marks: NO_MARKS };
  return { value: strip(v, collected), marks: collected.marks };
}

function strip<V extends Markable<V>>(v: V, collected: { marks: Marks }): V {
  if ((v.flags & MARKED_BIT) === 0) return v;
  collected.marks = unionMarks(collected.marks, v.marks);
  return mapParts(v.unmark(), (part) => strip(part, collected));
}

/** Returns the value without any marks, and the paths of the marks. For `Value.unmarkDeepWithPaths`. */
export function withoutMarksWithPaths<V extends Markable<V>>(
  v: V,
): {
  readonly value: V;
  readonly paths: readonly MarksAt<V>[];
} {
  const paths: MarksAt<V>[] = [];
  return { value: stripAt(v, [], paths), paths };
}

function stripAt<V extends Markable<V>>(v: V, path: readonly Step<V>[], paths: MarksAt<V>[]): V {
  if ((v.flags & MARKED_BIT) === 0) return v;
  if (v.marks.size > 0) paths.push({ path, marks: v.marks });
  return mapParts(v.unmark(), (part, stepOf) =>
    (part.flags & MARKED_BIT) === 0 ? part : stripAt(part, [...path, stepOf()], paths),
  );
}

/** Applies marks at paths. For `Value.markWithPaths`. */
export function marksAtPaths<V extends Markable<V>>(v: V, paths: readonly MarksAt<V>[]): V {
  return markAt(v, paths, 0);
}

function markAt<V extends Markable<V>>(v: V, paths: readonly MarksAt<V>[], depth: number): V {
  const deeper: MarksAt<V>[] = [];
  let valueMarks = NO_MARKS;
  for (const entry of paths) {
    if (entry.path.length > depth) deeper.push(entry);
    else valueMarks = unionMarks(valueMarks, entry.marks);
  }
  const inside = deeper.length === 0 ? v : markParts(v, deeper, depth);
  return inside.withMarks(valueMarks);
}

function markParts<V extends Markable<V>>(v: V, paths: readonly MarksAt<V>[], depth: number): V {
  const entries = new EntriesByStep(paths, depth);
  if (v.type.kind === 'set') return markSet(v, entries, depth);
  return mapParts(v, (part, stepOf) => {
    const entriesAtStep = entries.at(stepOf());
    return entriesAtStep.length === 0 ? part : markAt(part, entriesAtStep, depth + 1);
  });
}

/** Elements of sets carry no marks: marks for an element, or for a part of it, are applied to the set. */
function markSet<V extends Markable<V>>(v: V, entries: EntriesByStep<V>, depth: number): V {
  if (!Array.isArray(v.payload)) return v;
  let marks = NO_MARKS;
  for (const element of v.payload as readonly V[]) {
    const entriesAtStep = entries.at({ kind: 'index', key: element });
    if (entriesAtStep.length === 0) continue;
    marks = unionMarks(marks, withoutMarks(markAt(element, entriesAtStep, depth + 1)).marks);
  }
  return v.withMarks(marks);
}

/** Marks at paths, by the step at a depth, so that a part of a value is not compared with all of them. */
class EntriesByStep<V extends Markable<V>> {
  readonly #depth: number;
  readonly #entries = new Map<string | number, MarksAt<V>[]>();

  constructor(paths: readonly MarksAt<V>[], depth: number) {
    this.#depth = depth;
    for (const entry of paths) {
      const key = keyOf(entry.path[depth] as Step<V>);
      const others = this.#entries.get(key);
      if (others === undefined) this.#entries.set(key, [entry]);
      else others.push(entry);
    }
  }

  at(step: Step<V>): readonly MarksAt<V>[] {
    const similar = this.#entries.get(keyOf(step));
    if (similar === undefined) return [];
    return similar.filter((entry) => sameStep(entry.path[this.#depth] as Step<V>, step));
  }
}

/** The key of steps whose values have no hash that is equal for equal values. */
const OTHER = -1;

/** Equal steps have the same key. Hashes distinguish 0 and -0, which are equal. */
function keyOf<V extends Markable<V>>(step: Step<V>): string | number {
  if (step.kind === 'attr') return step.name;
  const { key } = step;
  if (key.payload === 0) return 0;
  return isPrimitive(key.type) ? hashOf(key) : OTHER;
}

function sameStep<V extends Markable<V>>(a: Step<V>, b: Step<V>): boolean {
  if (a.kind === 'attr') return b.kind === 'attr' && a.name === b.name;
  return b.kind === 'index' && a.key.rawEquals(b.key);
}

type Replace<V> = (part: V, stepOf: () => Step<V>) => V;

/**
 * Returns the value with each part replaced; the same value if none changed. The step to a part is created on demand.
 */
function mapParts<V extends Markable<V>>(v: V, replace: Replace<V>): V {
  if (Array.isArray(v.payload)) return mapSequence(v, v.payload as readonly V[], replace);
  if (v.type.kind === 'map' && v.payload instanceof Map) {
    return mapMap(v, v.payload as ReadonlyMap<string, V>, replace);
  }
  return v;
}

function mapSequence<V extends Markable<V>>(v: V, parts: readonly V[], replace: Replace<V>): V {
  const steps = new Steps(v);
  let changed: V[] | undefined;
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i] as V;
    const replaced = replace(part, () => steps.at(i));
    if (replaced === part) continue;
    changed ??= parts.slice();
    changed[i] = replaced;
  }
  return changed === undefined ? v : v.withParts(changed);
}

function mapMap<V extends Markable<V>>(
  v: V,
  parts: ReadonlyMap<string, V>,
  replace: Replace<V>,
): V {
  const steps = new Steps(v);
  let changed: Map<string, V> | undefined;
  let i = 0;
  for (const [key, part] of parts) {
    const at = i++;
    const replaced = replace(part, () => steps.at(at));
    if (replaced === part) continue;
    changed ??= new Map(parts);
    changed.set(key, replaced);
  }
  return changed === undefined ? v : v.withParts(changed);
}

/** The steps to the parts of a value, by position. Keys are created on first access. */
class Steps<V extends Markable<V>> {
  readonly #parent: V;
  #entries: readonly (readonly [V, V])[] | undefined = undefined;

  constructor(parent: V) {
    this.#parent = parent;
  }

  at(i: number): Step<V> {
    const { type } = this.#parent;
    if (type.kind === 'object') return { kind: 'attr', name: type.names[i] as string };
    this.#entries ??= this.#parent.unmark().entries();
    return { kind: 'index', key: (this.#entries[i] as readonly [V, V])[0] };
  }
}
