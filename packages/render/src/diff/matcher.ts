import { numToFloat, type Path } from '@terrane/cty';

/** A step of a path in JSON terms: attribute names and string keys are equivalent. */
export type JsonStep = string | number;

/** A set of paths relative to a position inside a value. */
export interface Matcher {
  /** true if a path ends here */
  readonly matches: boolean;
  /** true if a path ends here or further inside */
  readonly matchesPartial: boolean;
  child(step: JsonStep): Matcher;
}

/** Matches everywhere. */
export const EVERYWHERE: Matcher = {
  matches: true,
  matchesPartial: true,
  child: () => EVERYWHERE,
};

/** Matches nowhere. */
export const NOWHERE: Matcher = {
  matches: false,
  matchesPartial: false,
  child: () => NOWHERE,
};

class PathMatcher implements Matcher {
  readonly #paths: readonly (readonly JsonStep[])[];
  readonly #depth: number;
  readonly #propagate: boolean;
  readonly matches: boolean;
  readonly matchesPartial = true;

  constructor(paths: readonly (readonly JsonStep[])[], depth: number, propagate: boolean) {
    this.#paths = paths;
    this.#depth = depth;
    this.#propagate = propagate;
    this.matches = paths.some((path) => path.length <= depth);
  }

  child(step: JsonStep): Matcher {
    const inside = this.#paths.filter((path) => {
      const next = path[this.#depth];
      return next === undefined ? this.#propagate : sameStep(next, step);
    });
    return inside.length === 0
      ? NOWHERE
      : new PathMatcher(inside, this.#depth + 1, this.#propagate);
  }
}

// Terraform lets users write a position as text: list["0"].
function sameStep(pattern: JsonStep, step: JsonStep): boolean {
  return pattern === step || (typeof step === 'number' && Math.trunc(Number(pattern)) === step);
}

/** Returns a matcher of these paths. `propagate`: a path also matches everything below it. */
export function matcherOf(paths: readonly Path[], propagate: boolean): Matcher {
  if (paths.length === 0) return NOWHERE;
  return new PathMatcher(paths.map(jsonSteps), 0, propagate);
}

/** Converts a path to JSON steps. A key that is neither a string nor a number (an element of a set) matches nothing. */
function jsonSteps(path: Path): readonly JsonStep[] {
  return path.map((step): JsonStep => {
    if (step.kind === 'attr') return step.name;
    const key = step.key;
    if (!key.isKnown || key.isNull) return Number.NaN;
    if (key.type.kind === 'string') return key.unmark().asString();
    return key.type.kind === 'number' ? numToFloat(key.unmark().asNum()) : Number.NaN;
  });
}
