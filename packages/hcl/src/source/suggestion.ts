import type { BodySchema } from '../model.ts';

/** Names further away than this are not suggested. */
const THRESHOLD = 3;

/** Returns the first name whose edit distance from the given one is less than three; undefined if there is none. */
export function nameSuggestion(misspelled: string, names: Iterable<string>): string | undefined {
  for (const name of names) {
    if (editDistance(misspelled, name) < THRESHOLD) {
      return name;
    }
  }
  return undefined;
}

/** Returns the name with the smallest edit distance, if it is less than three; the first of equals. */
export function closestName(misspelled: string, names: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = THRESHOLD;
  for (const name of names) {
    const distance = editDistance(misspelled, name);
    if (distance < bestDistance) {
      best = name;
      bestDistance = distance;
    }
  }
  return best;
}

/** Returns the names of a schema to suggest for misspelt ones. */
export function suggestedNames({ attributes, blocks }: BodySchema): {
  readonly attributes: readonly string[];
  readonly blocks: readonly string[];
} {
  return {
    attributes: attributes.filter((each) => each.unsuggested !== true).map((each) => each.name),
    blocks: blocks.filter((each) => each.unsuggested !== true).map((each) => each.type),
  };
}

/** Levenshtein distance in code points; stops (returns the threshold) once that is reached. */
function editDistance(a: string, b: string): number {
  const left = Array.from(a);
  const right = Array.from(b);
  if (Math.abs(left.length - right.length) >= THRESHOLD) {
    return THRESHOLD;
  }
  let previous: number[] = right.map((_, i) => i);
  previous.push(right.length);
  for (let i = 1; i <= left.length; i++) {
    const current: number[] = [i];
    let minCost = i;
    for (let j = 1; j <= right.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      const cost = Math.min(substitution, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1);
      current.push(cost);
      minCost = Math.min(minCost, cost);
    }
    if (minCost >= THRESHOLD) {
      return THRESHOLD;
    }
    previous = current;
  }
  return previous[right.length] ?? THRESHOLD;
}
