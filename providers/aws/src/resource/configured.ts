import { isCollection, type Value } from '@terrane/cty';
import { error, type ObjectValidator } from '@terrane/provider/sdk';

/** At most one of these arguments and blocks may be written. As `conflicting` of the SDK, which knows no blocks. */
export function atMostOneWritten<const N extends string>(
  ...names: readonly N[]
): ObjectValidator<N> {
  return validatorOf(names, (count) =>
    count > 1 ? `These attributes cannot be configured together: [${names.join(',')}]` : undefined,
  );
}

/** Exactly one of these arguments and blocks has to be written. */
export function exactlyOneWritten<const N extends string>(
  ...names: readonly N[]
): ObjectValidator<N> {
  return validatorOf(names, (count) =>
    count === 1
      ? undefined
      : `Exactly one of these attributes must be configured: [${names.join(',')}]`,
  );
}

function validatorOf<N extends string>(
  names: readonly N[],
  complaint: (count: number) => string | undefined,
): ObjectValidator<N> {
  return {
    kind: 'object validator',
    validate: (config) => {
      const values = names.map((name) => config.attr(name));
      if (values.some((value) => !value.isKnown)) return [];
      const why = complaint(values.filter(isWritten).length);
      return why === undefined ? [] : [error('Invalid Attribute Combination', why)];
    },
  };
}

function isWritten(value: Value): boolean {
  if (value.isNull) return false;
  return !isCollection(value.type) || value.length > 0;
}
