import type { Deferred } from '../contract.ts';

/** The object does not exist any more. */
export class Gone {
  readonly kind = 'gone';
}

/** What `read` gives when the object does not exist any more: it is then planned anew. */
export const gone: Gone = new Gone();

/** The operation is put off to a later run. */
export class Deferral {
  readonly kind = 'deferral';
  readonly reason: Deferred['reason'];

  /** Made by `deferred(…)`. */
  constructor(reason: Deferred['reason']) {
    this.reason = reason;
  }
}

/**
 * Puts an operation off to a later run, because something that it needs is not known or not there yet.
 * Where the side that asks cannot put anything off, it becomes an error.
 */
export function deferred(reason: Deferred['reason']): Deferral {
  return new Deferral(reason);
}
