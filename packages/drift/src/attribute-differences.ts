import { attrStep, indexStep, type Path, str, integer, type Value } from '@terrane/cty';

/** A part of a value that differs; a missing part currentPart undefined. */
export interface Difference {
  readonly path: Path;
  readonly before: Value | undefined;
  readonly after: Value | undefined;
}

/**
 * Returns the smallest differing parts of two values of one type: attributes, keys of maps and elements of sequences of
 * the same length. Sets, and sequences of different lengths, differ as a whole. Marks are part of the returned values
 * and do not count as a difference.
 */
export function attributeDifferences(before: Value, after: Value): readonly Difference[] {
  const differences: Difference[] = [];
  compare(before, after, [], differences);
  return differences;
}

function compare(before: Value, after: Value, path: Path, differences: Difference[]): void {
  const [left, right] = [before.unmark(), after.unmark()];
  const isComparable =
    left.isKnown && right.isKnown && !left.isNull && !right.isNull && !before.isMarked;
  const { kind } = left.type;
  if (!isComparable || kind !== right.type.kind || after.isMarked) {
    leaf(before, after, path, differences);
    return;
  }
  switch (kind) {
    case 'object': {
      if (right.type.kind !== 'object') return;
      for (const name of left.type.kind === 'object' ? left.type.names : []) {
        const [priorPart, currentPart] = [left.attr(name), right.attr(name)];
        if (priorPart !== currentPart)
          compare(priorPart, currentPart, [...path, attrStep(name)], differences);
      }
      return;
    }
    case 'map': {
      const keys = new Set([...left.entries(), ...right.entries()].map(([key]) => key.asString()));
      for (const key of [...keys].sort()) {
        const step = [...path, indexStep(str(key))];
        const [priorPart, currentPart] = [left.get(key), right.get(key)];
        if (priorPart === undefined || currentPart === undefined)
          differences.push({ path: step, before: priorPart, after: currentPart });
        else if (priorPart !== currentPart) compare(priorPart, currentPart, step, differences);
      }
      return;
    }
    case 'list':
    case 'tuple': {
      const [priorPart, currentPart] = [left.elements(), right.elements()];
      if (priorPart.length !== currentPart.length) {
        leaf(before, after, path, differences);
        return;
      }
      for (const [position, element] of priorPart.entries()) {
        const other = currentPart[position];
        if (other !== undefined && element !== other)
          compare(element, other, [...path, indexStep(integer(position))], differences);
      }
      return;
    }
    default:
      leaf(before, after, path, differences);
  }
}

function leaf(before: Value, after: Value, path: Path, differences: Difference[]): void {
  const isSame = before.unmarkDeep().value.rawEquals(after.unmarkDeep().value);
  if (!isSame) differences.push({ path, before, after });
}
