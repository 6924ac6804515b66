import type { Deferred } from '../contract.ts';
import type { Json } from './json-value.ts';

/** The result for an object that does not exist any more. */
export class Gone {
  readonly kind = 'gone';
}

/** The result of `read` for an object that no longer exists; it will be planned for creation. */
export const gone: Gone = new Gone();

/** The deferral of an operation to a later run. */
export class Deferral {
  readonly kind = 'deferral';
  readonly reason: Deferred['reason'];

  /** Created by `deferred(…)`. */
  constructor(reason: Deferred['reason']) {
    this.reason = reason;
  }
}

/**
 * Defers an operation to a later run because a prerequisite is unknown or absent. If the caller does not support
 * deferral, it becomes an error.
 */
export function deferred(reason: Deferred['reason']): Deferral {
  return new Deferral(reason);
}

/** An imported object of another resource type. */
export class ImportedOther {
  readonly kind = 'imported';
  /** the options of its resource type */
  readonly type: object;
  readonly object: unknown;
  readonly private: Readonly<Record<string, Json>> | undefined;

  /** Created by `imported(…)`. */
  constructor(type: object, object: unknown, kept: Readonly<Record<string, Json>> | undefined) {
    this.type = type;
    this.object = object;
    this.private = kept;
  }
}

/** The known part of an object that is read next. */
export class ToBeRead<T = unknown> {
  readonly kind = 'to be read';
  readonly object: T;

  /** Created by `toBeRead(…)`. */
  constructor(object: T) {
    this.object = object;
  }
}

/**
 * The result of an import that only locates an object: `read` is called next and needs only these attributes: `import:
 * ({ id }) => toBeRead({ id })`.
 */
export function toBeRead<const T extends object>(object: T): ToBeRead<T> {
  return new ToBeRead(object);
}
