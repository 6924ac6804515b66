import type { Marks } from './marks.ts';
import type { Type } from './type.ts';

/** The fields of a value, for what looks at values without making any; see `Value` for what they mean. */
export interface ValueData {
  readonly type: Type;
  readonly payload: unknown;
  readonly marks: Marks;
  readonly flags: number;
}

/** One step into a value: to an attribute of an object, or to an element by its key (in a set, the element itself). */
export type Step<V> =
  | { readonly kind: 'attr'; readonly name: string }
  | { readonly kind: 'index'; readonly key: V };

/** Marks and where they are. */
export interface MarksAt<V> {
  readonly path: readonly Step<V>[];
  readonly marks: Marks;
}
