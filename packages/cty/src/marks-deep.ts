import { MARKED_BIT, type Marks, NO_MARKS, unionMarks } from './marks.ts';
import type { Path, PathMarks, PathStep } from './path.ts';
import type { Value } from './value.ts';

/** The value without any marks and their union. For {@link Value.unmarkDeep}. */
export function withoutMarks(v: Value): { readonly value: Value; readonly marks: Marks } {
  const collected = { marks: NO_MARKS };
  return { value: strip(v, collected), marks: collected.marks };
}

function strip(v: Value, collected: { marks: Marks }): Value {
  if ((v.flags & MARKED_BIT) === 0) return v;
  collected.marks = unionMarks(collected.marks, v.marks);
  return mapParts(v.unmark(), (part) => strip(part, collected));
}

/** The value without any marks and where they were. For {@link Value.unmarkDeepWithPaths}. */
export function withoutMarksWithPaths(v: Value): {
  readonly value: Value;
  readonly paths: readonly PathMarks[];
} {
  const paths: PathMarks[] = [];
  return { value: stripAt(v, [], paths), paths };
}

function stripAt(v: Value, path: Path, paths: PathMarks[]): Value {
  if ((v.flags & MARKED_BIT) === 0) return v;
  if (v.isMarked) paths.push({ path, marks: v.marks });
  const plain = v.unmark();
  return mapParts(plain, (part, stepOf) =>
    (part.flags & MARKED_BIT) === 0 ? part : stripAt(part, [...path, stepOf()], paths),
  );
}

/** The value with marks put where the paths say. For {@link Value.markWithPaths}. */
export function marksAtPaths(v: Value, paths: readonly PathMarks[]): Value {
  return markAt(v, paths, 0);
}

function markAt(v: Value, paths: readonly PathMarks[], depth: number): Value {
  const deeper: PathMarks[] = [];
  let own = NO_MARKS;
  for (const entry of paths) {
    if (entry.path.length > depth) deeper.push(entry);
    else own = unionMarks(own, entry.marks);
  }
  const inside = deeper.length === 0 ? v : markParts(v, deeper, depth);
  return inside.withMarks(own);
}

function markParts(v: Value, paths: readonly PathMarks[], depth: number): Value {
  if (v.type.kind === 'set') return markSet(v, paths, depth);
  return mapParts(v, (part, stepOf) => {
    const step = stepOf();
    const here = paths.filter((entry) => sameStep(entry.path[depth] as PathStep, step));
    return here.length === 0 ? part : markAt(part, here, depth + 1);
  });
}

/** Elements of sets carry no marks: what is meant for one of them, or for a part of it, goes to the set. */
function markSet(v: Value, paths: readonly PathMarks[], depth: number): Value {
  if (!Array.isArray(v.payload)) return v;
  let marks = NO_MARKS;
  for (const element of v.payload as readonly Value[]) {
    const here = paths.filter((entry) =>
      sameStep(entry.path[depth] as PathStep, { kind: 'index', key: element }),
    );
    if (here.length > 0) marks = unionMarks(marks, markAt(element, here, depth + 1).unmarkDeep().marks);
  }
  return v.withMarks(marks);
}

function sameStep(a: PathStep, b: PathStep): boolean {
  if (a.kind === 'attr' || b.kind === 'attr') {
    return a.kind === 'attr' && b.kind === 'attr' && a.name === b.name;
  }
  return a.key.rawEquals(b.key);
}

/** The value with each part replaced; the same value if none changed. The step to a part is made when asked for. */
function mapParts(v: Value, replace: (part: Value, stepOf: () => PathStep) => Value): Value {
  const { payload } = v;
  const keys: { entries?: readonly (readonly [Value, Value])[] } = {};
  let i = 0;
  const stepOf = (): PathStep => {
    if (v.type.kind === 'object') return { kind: 'attr', name: v.type.names[i] as string };
    keys.entries ??= v.unmark().entries();
    return { kind: 'index', key: (keys.entries[i] as readonly [Value, Value])[0] };
  };
  if (Array.isArray(payload)) {
    const parts = payload as readonly Value[];
    let changed: Value[] | undefined;
    for (i = 0; i < parts.length; i++) {
      const part = parts[i] as Value;
      const replaced = replace(part, stepOf);
      if (replaced === part) continue;
      changed ??= parts.slice();
      changed[i] = replaced;
    }
    return changed === undefined ? v : v.withParts(changed);
  }
  if (v.type.kind === 'map' && payload instanceof Map) {
    const parts = payload as ReadonlyMap<string, Value>;
    let changed: Map<string, Value> | undefined;
    for (const [key, part] of parts) {
      const replaced = replace(part, stepOf);
      i++;
      if (replaced === part) continue;
      changed ??= new Map(parts);
      changed.set(key, replaced);
    }
    return changed === undefined ? v : v.withParts(changed);
  }
  return v;
}
