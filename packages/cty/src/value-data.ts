import type { Marks } from './marks.ts';
import type { Step } from './step.ts';
import type { Type } from './type.ts';

/** The fields of a value, for code that only reads values; see `Value` for their meaning. */
export interface ValueData {
  readonly type: Type;
  readonly payload: unknown;
  readonly marks: Marks;
  readonly flags: number;
}

/** Marks and where they are. */
export interface MarksAt<V> {
  readonly path: readonly Step<V>[];
  readonly marks: Marks;
}
