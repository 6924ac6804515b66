import { attrStep, compareNum, formatNumber, indexStep, num, quoteText } from '@terrane/cty';
import type { Num, Path, Value } from '@terrane/cty';
import type { ProviderDiagnostic } from '../contract.ts';
import type { ValidatorRequest } from './definition.ts';
import { error, pathText } from './diagnostics.ts';
import { validator } from './rules.ts';
import type { AttributeValidator } from './rules.ts';

// Texts are those of the published validators for terraform-plugin-framework.

const NOTHING: readonly ProviderDiagnostic[] = [];

/** A check of one kind of value that is skipped where the value is null or unknown. */
function valueValidator<N extends string = never>(
  description: string,
  check: (request: ValidatorRequest) => readonly ProviderDiagnostic[],
): AttributeValidator<N> {
  const whenKnown = validator<N>((request) =>
    request.value.isKnown && !request.value.isNull ? check(request) : NOTHING,
  );
  return { ...whenKnown, description };
}

function invalid(kind: string, path: Path, description: string, got: string): ProviderDiagnostic[] {
  const detail = `Attribute ${pathText(path)} ${description}, got: ${got}`;
  return [error(`Invalid Attribute ${kind}`, detail, path)];
}

function combination(path: Path, description: string): ProviderDiagnostic[] {
  return [error('Invalid Attribute Combination', description, path)];
}

/** A number of at least `min`. */
export function atLeast(min: number): AttributeValidator {
  const description = `value must be at least ${min}`;
  return valueValidator(description, ({ path, value }) => {
    if (compareNum(value.asNum(), min) >= 0) return NOTHING;
    return invalid('Value', path, description, formatNumber(value.asNum()));
  });
}

/** Requires a number that is at least the sum of other configured arguments. */
export function atLeastSumOf<const N extends string>(
  ...names: readonly N[]
): AttributeValidator<N> {
  const description = `value must be at least sum of ${names.join(' + ')}`;
  return valueValidator<N>(description, ({ path, value, siblings }) => {
    let sum: Num = 0;
    for (const name of names) {
      const other = siblings.attr(name);
      if (!other.isKnown) return NOTHING;
      if (!other.isNull) sum = num.add(sum, other.asNum());
    }
    if (compareNum(value.asNum(), sum) >= 0) return NOTHING;
    return invalid('Value', path, description, formatNumber(value.asNum()));
  });
}

/** A number of at most `max`. */
export function atMost(max: number): AttributeValidator {
  const description = `value must be at most ${max}`;
  return valueValidator(description, ({ path, value }) => {
    if (compareNum(value.asNum(), max) <= 0) return NOTHING;
    return invalid('Value', path, description, formatNumber(value.asNum()));
  });
}

/** A number of at least `min` and at most `max`. */
export function between(min: number, max: number): AttributeValidator {
  const description = `value must be between ${min} and ${max}`;
  return valueValidator(description, ({ path, value }) => {
    const n = value.asNum();
    if (compareNum(n, min) >= 0 && compareNum(n, max) <= 0) return NOTHING;
    return invalid('Value', path, description, formatNumber(n));
  });
}

/** Accepts only these strings. */
export function oneOf(...values: readonly string[]): AttributeValidator {
  const description = `value must be one of: [${values.map(quoteText).join(' ')}]`;
  return valueValidator(description, ({ path, value }) => {
    const text = value.asString();
    return values.includes(text)
      ? NOTHING
      : invalid('Value Match', path, description, quoteText(text));
  });
}

/** Validates the minimum length of a string in bytes. */
export function lengthAtLeast(min: number): AttributeValidator {
  const description = `string length must be at least ${min}`;
  return valueValidator(description, ({ path, value }) => {
    const length = Buffer.byteLength(value.asString());
    return length >= min ? NOTHING : invalid('Value Length', path, description, String(length));
  });
}

/** Validates the length of a string in bytes. */
export function lengthBetween(min: number, max: number): AttributeValidator {
  const description = `string length must be between ${min} and ${max}`;
  return valueValidator(description, ({ path, value }) => {
    const length = Buffer.byteLength(value.asString());
    if (length >= min && length <= max) return NOTHING;
    return invalid('Value Length', path, description, String(length));
  });
}

/** Requires a string that matches; `description` explains the pattern to users. */
export function matches(pattern: RegExp, description: string): AttributeValidator {
  return valueValidator(description, ({ path, value }) => {
    const text = value.asString();
    return pattern.test(text) ? NOTHING : invalid('Value Match', path, description, text);
  });
}

/** Validates the elements of a list. */
export function elementsAre(...validators: readonly AttributeValidator[]): AttributeValidator {
  const all = validators.map((v) => v.description ?? '').join(' + ');
  const description = `element value must satisfy all validations: ${all}`;
  return valueValidator(description, ({ path, value, siblings }) => {
    const diagnostics: ProviderDiagnostic[] = [];
    for (const [key, element] of value.entries()) {
      const request = { path: [...path, indexStep(key)], value: element, siblings };
      for (const { validate } of validators) diagnostics.push(...validate(request));
    }
    return diagnostics;
  });
}

/** Validates the number of elements of a list. */
export function sizeBetween(min: number, max: number): AttributeValidator {
  const description = `list must contain at least ${min} elements and at most ${max} elements`;
  return valueValidator(description, ({ path, value }) => {
    const size = value.length;
    return size >= min && size <= max ? NOTHING : invalid('Value', path, description, String(size));
  });
}

/** Returns the paths of sibling arguments of the one at `path`. */
function others(path: Path, names: readonly string[]): readonly string[] {
  const attributeName = nameOf(path);
  return names.filter((name) => name !== attributeName);
}

function nameOf(path: Path): string {
  const last = path.at(-1);
  return last?.kind === 'attr' ? last.name : '';
}

function siblingPath(path: Path, name: string): Path {
  return [...path.slice(0, -1), attrStep(name)];
}

/** Exactly one of the argument and some others is written. */
export function exactlyOneOf<const N extends string>(
  ...names: readonly N[]
): AttributeValidator<N> {
  return validator<N>(({ path, value, siblings }) => {
    if (!value.isKnown) return NOTHING;
    let count = value.isNull ? 0 : 1;
    for (const name of others(path, names)) {
      const other = siblings.attr(name);
      if (!other.isKnown) return NOTHING;
      if (!other.isNull) count++;
    }
    const all = `[${names.join(',')}]`;
    if (count === 0) {
      const text = `No attribute specified when one (and only one) of ${all} is required`;
      return combination(path, text);
    }
    if (count === 1) return NOTHING;
    const text = `${count} attributes specified when one (and only one) of ${all} is required`;
    return combination(path, text);
  });
}

/** The argument or one of some others is written. */
export function atLeastOneOf<const N extends string>(
  ...names: readonly N[]
): AttributeValidator<N> {
  return validator<N>(({ path, value, siblings }) => {
    if (!value.isNull) return NOTHING;
    if (names.some((name) => !siblings.attr(name).isNull)) return NOTHING;
    const all = [...names, nameOf(path)].join(',');
    return combination(path, `At least one attribute out of [${all}] must be specified`);
  });
}

/** Validates that none of some other arguments is configured together with this one. */
export function conflictsWith<const N extends string>(
  ...names: readonly N[]
): AttributeValidator<N> {
  return pairwise(
    names,
    (other) => !other.isNull,
    (other, name) => `Attribute ${other} cannot be specified when ${name} is specified`,
  );
}

/** Validates that all of some other arguments are configured if this one is. */
export function alsoRequires<const N extends string>(
  ...names: readonly N[]
): AttributeValidator<N> {
  return pairwise(
    names,
    (other) => other.isNull,
    (other, name) => `Attribute ${other} must be specified when ${name} is specified`,
  );
}

function pairwise<N extends string>(
  names: readonly N[],
  wrong: (other: Value) => boolean,
  message: (other: string, name: string) => string,
): AttributeValidator<N> {
  return validator<N>(({ path, value, siblings }) => {
    if (!value.isKnown || value.isNull) return NOTHING;
    const diagnostics: ProviderDiagnostic[] = [];
    for (const name of others(path, names)) {
      const other = siblings.attr(name);
      if (!other.isKnown) return diagnostics;
      if (!wrong(other)) continue;
      const at = quoteText(pathText(siblingPath(path, name)));
      diagnostics.push(...combination(path, message(at, quoteText(pathText(path)))));
    }
    return diagnostics;
  });
}
