import type { Step } from './step.ts';
import type { Value } from './value.ts';
import type { MarksAt } from './value-data.ts';

/** A step into a value: to an attribute of an object, or to an element by its key (in a set, the element itself). */
export type PathStep = Step<Value>;

/** The position of a nested value, from the outside in. */
export type Path = readonly PathStep[];

/** Marks and where they are. */
export type PathMarks = MarksAt<Value>;
