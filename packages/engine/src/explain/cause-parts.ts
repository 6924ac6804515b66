import type { Path, Value } from '@terrane/cty';
import type { Range } from '@terrane/hcl';
import type { Cause, CauseProperties, SourceCause } from './model.ts';
import { nameOfStep } from './value-parts.ts';

/** The part of a cause that a path is. */
export function withPath(path: Path): Partial<Pick<CauseProperties, 'attribute'>> {
  return path.length === 0 ? {} : { attribute: path };
}

/** Whether a cause is more than a place in the text. */
export function leadsFurther({ kind }: Cause): boolean {
  return kind !== 'source';
}

/** Not sure: of several that are, one at least is it. */
export function asPossible(cause: Cause): Cause {
  return { ...cause, possible: true, causes: cause.causes.map(asPossible) };
}

/** A value, marked where what it is of is sensitive. */
export function secret(value: Value, sensitive: boolean): Value {
  return sensitive ? value.mark('sensitive') : value;
}

/** The same thing said twice is said once. */
export function distinct(causes: readonly Cause[]): readonly Cause[] {
  const seen = new Set<string>();
  return causes.filter(({ kind, address, attribute, range, told }) => {
    const path = (attribute ?? []).map(nameOfStep).join('.');
    const key = `${kind} ${address ?? ''} ${path} ${address === undefined ? String(range) : ''}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return told !== true || causes.every((one) => one.told === true || one.address !== address);
  });
}

/** A place in the source as a cause: what was wanted there, and what it says now. */
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
