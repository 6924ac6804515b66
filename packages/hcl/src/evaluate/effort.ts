import type { Value } from '@terrane/cty';

/** The number of elements and calls after which the observer is called again. */
const STEP = 1 << 12;
/** The number of characters of an argument that count as an element. */
const CHARACTERS = 64;

let left = STEP;
let observer: (() => void) | undefined;

/**
 * Sets a function that evaluations call now and then: after some thousands of elements of collections and calls of
 * functions, and before a call with a large argument. Evaluation is synchronous, so timers wait until it ends. What the
 * function throws ends the evaluation. There is one observer; undefined removes it.
 */
export function observeEvaluation(observe: (() => void) | undefined): void {
  observer = observe;
}

/** Counts elements that a loop has evaluated, or work of about that size. */
export function countEffort(elements: number): void {
  left -= elements;
  if (left > 0) return;
  left = STEP;
  observer?.();
}

/** Returns the size of the first argument of a call, in elements; at least 1. */
export function sizeOfArgument({ payload }: Value): number {
  if (typeof payload === 'string') return 1 + payload.length / CHARACTERS;
  if (Array.isArray(payload)) return 1 + payload.length;
  return payload instanceof Map ? 1 + payload.size : 1;
}
