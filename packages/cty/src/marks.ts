/**
 * An annotation of a value that every derived value inherits. `sensitive` values are not shown, `ephemeral` values are
 * not stored, deprecation marks cause a warning at each use, and a type value represents a type (the result of `type()`
 * in the console).
 */
export type Mark = 'sensitive' | 'ephemeral' | DeprecationMark | TypeValueMark;

/** Marks a value whose use causes the warning `message`; `origin` names the deprecated object. */
export interface DeprecationMark {
  readonly kind: 'deprecated';
  readonly message: string;
  readonly origin: string;
  /** true if the deprecated object belongs to a remote module package */
  readonly isRemote: boolean;
}

/** Marks a value that describes a type and may only be shown. */
export interface TypeValueMark {
  readonly kind: 'typeValue';
}

/** A set of marks. The sets that values carry are interned: equal sets are the same object. */
export type Marks = ReadonlySet<Mark>;

/** Bits for the kinds of marks in a set; the flags of values use the same bits. */
export const SENSITIVE_BIT = 4;
/** Set in the flags of a value that is ephemeral. */
export const EPHEMERAL_BIT = 8;
/** Set in the flags of a value that is deprecated. */
export const DEPRECATED_BIT = 16;
/** Set in the flags of a value that carries any mark. */
export const MARKED_BIT = 2;

/** The empty set of marks, which most values carry. */
export const NO_MARKS: Marks = new Set();

const interned = new Map<string, Marks>([['', NO_MARKS]]);
const bitsOf = new WeakMap<Marks, number>([[NO_MARKS, 0]]);

/** The set {sensitive}. */
export const SENSITIVE_MARKS: Marks = internMarks(new Set<Mark>(['sensitive']));
/** The set {ephemeral}. */
export const EPHEMERAL_MARKS: Marks = internMarks(new Set<Mark>(['ephemeral']));

function keyOf(mark: Mark): string {
  if (typeof mark === 'string') return mark;
  if (mark.kind === 'typeValue') return 'typeValue';
  return `deprecated${JSON.stringify([mark.message, mark.origin, mark.isRemote])}`;
}

function bitOf(mark: Mark): number {
  if (mark === 'sensitive') return MARKED_BIT | SENSITIVE_BIT;
  if (mark === 'ephemeral') return MARKED_BIT | EPHEMERAL_BIT;
  return mark.kind === 'deprecated' ? MARKED_BIT | DEPRECATED_BIT : MARKED_BIT;
}

/** Returns the shared instance of an equal set of marks. Marks with equal content are equal. */
export function internMarks(marks: Marks): Marks {
  if (bitsOf.has(marks)) return marks;
  const byKey = new Map<string, Mark>();
  for (const mark of marks) {
    const key = keyOf(mark);
    if (!byKey.has(key)) byKey.set(key, mark);
  }
  const keys = [...byKey.keys()].sort();
  const key = keys.join('\n');
  let shared = interned.get(key);
  if (shared === undefined) {
    shared = new Set(keys.map((k) => byKey.get(k) as Mark));
    interned.set(key, shared);
    let bits = 0;
    for (const mark of shared) bits |= bitOf(mark);
    bitsOf.set(shared, bits);
  }
  return shared;
}

/** The union of two sets of marks. */
export function unionMarks(a: Marks, b: Marks): Marks {
  if (a === b || b.size === 0) return internMarks(a);
  if (a.size === 0) return internMarks(b);
  return internMarks(new Set([...a, ...b]));
}

/** The marks of `a` that are not in `b`. */
export function differenceMarks(a: Marks, b: Marks): Marks {
  if (a.size === 0 || b.size === 0) return internMarks(a);
  const without = new Set([...b].map(keyOf));
  return internMarks(new Set([...a].filter((mark) => !without.has(keyOf(mark)))));
}

/** The kinds of marks in an interned set, as bits. */
export function markBits(marks: Marks): number {
  return bitsOf.get(marks) ?? bitsOf.get(internMarks(marks)) ?? 0;
}
