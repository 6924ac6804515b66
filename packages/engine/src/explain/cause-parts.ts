import type { Path, Value } from '@terrane/cty';
import type { Range } from '@terrane/hcl';
import type { Cause, CauseProperties, SourceCause } from './model.ts';
import { nameOfStep } from './value-parts.ts';

/** Returns a path as the property `attribute` of a cause; no property for an empty path. */
export function withPath(path: Path): Partial<Pick<CauseProperties, 'attribute'>> {
  return path.length === 0 ? {} : { attribute: path };
}

/** Returns true if a cause is more than a location in the configuration. */
export function leadsFurther({ kind }: Cause): boolean {
  return kind !== 'source';
}

/** Marks a cause and its own causes as possible. */
export function asPossible(cause: Cause): Cause {
  return { ...cause, possible: true, causes: cause.causes.map(asPossible) };
}

/** Marks a value if its source is sensitive. */
export function secret(value: Value, sensitive: boolean): Value {
  return sensitive ? value.mark('sensitive') : value;
}

/** Removes repeated causes, and those that are explained elsewhere in the same list. */
export function distinct(causes: readonly Cause[]): readonly Cause[] {
  const distinctKeys = new Set<string>();
  return causes.filter(({ kind, address, attribute, range, isExplainedElsewhere }) => {
    const path = (attribute ?? []).map(nameOfStep).join('.');
    const key = `${kind} ${address ?? ''} ${path} ${address === undefined ? String(range) : ''}`;
    if (distinctKeys.has(key)) return false;
    distinctKeys.add(key);
    return (
      isExplainedElsewhere !== true ||
      causes.every((other) => other.isExplainedElsewhere === true || other.address !== address)
    );
  });
}

/** Returns a location in the configuration as a cause, with the earlier and the current value. */
export function writtenAt(
  range: Range,
  wanted: Value | undefined,
  after: Value | undefined,
): SourceCause {
  return {
    kind: 'source',
    range,
    ...(wanted === undefined ? {} : { before: wanted }),
    ...(after === undefined ? {} : { after }),
    causes: [],
  };
}
