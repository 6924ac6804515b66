import {
  attrStep,
  compareNum,
  formatNumber,
  indexStep,
  isCollection,
  type Path,
  quoteText,
  type Value,
} from '@terrane/cty';
import {
  type AttributeValidator,
  error,
  type ObjectValidator,
  validator,
} from '@terrane/provider/sdk';

// The checks of types that use Terraform's older SDK, with its messages.

/** Validates a known text; returns the problem of the argument with that name. */
export function textCheck(
  problem: (text: string, name: string) => string | undefined,
): AttributeValidator {
  return valueCheck((value, path) => problem(value.asString(), dotted(path)));
}

function valueCheck(problem: (value: Value, path: Path) => string | undefined): AttributeValidator {
  return validator(({ value, path }) => {
    if (!value.isKnown || value.isNull) return [];
    const reason = problem(value, path);
    return reason === undefined ? [] : [error(reason, '', path)];
  });
}

/** Every element of a list or set passes; they are numbered. */
export function each(check: AttributeValidator): AttributeValidator {
  return validator(({ value, path, siblings }) => {
    if (!value.isKnown || value.isNull) return [];
    return [...value.entries()].flatMap(([, element], i) => {
      const problems = check.validate({ path: [...path, indexStep(i)], value: element, siblings });
      return problems.map((each) => ({ ...each, attribute: path }));
    });
  });
}

/** A member of every element of a list or set of objects passes. */
export function inside(name: string, check: AttributeValidator): AttributeValidator {
  return validator(({ value, path }) => {
    if (!value.isKnown || value.isNull) return [];
    return [...value.entries()].flatMap(([, element], i) => {
      if (!element.isKnown || element.isNull) return [];
      const at: Path = [...path, indexStep(i), attrStep(name)];
      const problems = check.validate({ path: at, value: element.attr(name), siblings: element });
      return problems.map((each) => ({ ...each, attribute: path }));
    });
  });
}

/** One of some texts. */
export function oneOf(...values: readonly string[]): AttributeValidator {
  const all = values.map(quoteText).join(' ');
  return valueCheck((value, path) => {
    const text = value.asString();
    return values.includes(text)
      ? undefined
      : `expected ${nameAt(path)} to be one of [${all}], got ${text}`;
  });
}

/** A number of at least `min` and at most `max`. */
export function between(min: number, max: number): AttributeValidator {
  return valueCheck((value, path) => {
    const n = value.asNum();
    if (compareNum(n, min) >= 0 && compareNum(n, max) <= 0) return undefined;
    return `expected ${dotted(path)} to be in the range (${min} - ${max}), got ${formatNumber(n)}`;
  });
}

/** A number of at least `min`. */
export function atLeast(min: number): AttributeValidator {
  return valueCheck((value, path) => {
    const n = value.asNum();
    if (compareNum(n, min) >= 0) return undefined;
    return `expected ${dotted(path)} to be at least (${min}), got ${formatNumber(n)}`;
  });
}

/** Validates the length of a text in bytes. */
export function lengthBetween(min: number, max: number): AttributeValidator {
  return textCheck((text, name) => {
    const length = Buffer.byteLength(text);
    if (length >= min && length <= max) return undefined;
    return `expected length of ${name} to be in the range (${min} - ${max}), got ${text}`;
  });
}

/** Validates that a text is not empty. */
export const isNotEmpty: AttributeValidator = textCheck((text, name) =>
  text === '' ? `${name} must not be empty, got ` : undefined,
);

/** Validates that a text matches a pattern; `description` explains it. */
export function matches(pattern: RegExp, description: string): AttributeValidator {
  return textCheck((text, name) =>
    pattern.test(text) ? undefined : `invalid value for ${name} (${description})`,
  );
}

/** Validates that no two of some arguments and blocks are configured together; each of them reports the error. */
export function conflicting<const N extends string>(...names: readonly N[]): ObjectValidator<N> {
  return objectCheck(names, (written) =>
    written.length < 2
      ? []
      : written.map((name) => {
          const other = written.find((each) => each !== name) ?? name;
          const reason = `${quoteText(name)}: conflicts with ${other}`;
          return error('Conflicting configuration arguments', reason, [attrStep(name)]);
        }),
  );
}

/** Exactly one of some arguments and blocks is written. */
export function exactlyOneConfigured<const N extends string>(
  ...names: readonly N[]
): ObjectValidator<N> {
  const all = `\`${names.toSorted().join(',')}\``;
  return objectCheck(names, (written) => {
    if (written.length === 1) return [];
    const configured = `\`${written.toSorted().join(',')}\``;
    return names.map((name) =>
      error(
        'Invalid combination of arguments',
        written.length === 0
          ? `${quoteText(name)}: one of ${all} must be specified`
          : `${quoteText(name)}: only one of ${all} can be specified, but ${configured} were specified.`,
        [attrStep(name)],
      ),
    );
  });
}

/** Validates that at least one of some arguments and blocks is configured. */
export function atLeastOneConfigured<const N extends string>(
  ...names: readonly N[]
): ObjectValidator<N> {
  return objectCheck(names, (written) =>
    written.length > 0
      ? []
      : names.map((name) => missing(name, `one of \`${names.toSorted().join(',')}\``)),
  );
}

/** Either all of some arguments and blocks are written, or none. */
export function requiredTogether<const N extends string>(
  ...names: readonly N[]
): ObjectValidator<N> {
  return objectCheck(names, (written) =>
    written.length === 0 || written.length === names.length
      ? []
      : written.map((name) => missing(name, `all of \`${names.toSorted().join(',')}\``)),
  );
}

/** An argument that is written has another one written with it. */
export function requiring<const N extends string>(name: N, other: N): ObjectValidator<N> {
  return objectCheck([name, other], (written) =>
    written.includes(name) && !written.includes(other)
      ? [missing(name, `all of \`${[name, other].toSorted().join(',')}\``)]
      : [],
  );
}

function missing(name: string, subject: string): ReturnType<typeof error> {
  const reason = `${quoteText(name)}: ${subject} must be specified`;
  return error('Missing required argument', reason, [attrStep(name)]);
}

/** Validates an object, unless one of the arguments is unknown. */
function objectCheck<N extends string>(
  names: readonly N[],
  problems: (written: readonly N[]) => ReturnType<ObjectValidator['validate']>,
): ObjectValidator<N> {
  return {
    kind: 'object validator',
    validate(config) {
      const values = names.map((name) => config.attr(name));
      if (values.some((value) => !value.isKnown)) return [];
      return problems(names.filter((_, i) => isWritten(values[i])));
    },
  };
}

/** Blocks are lists and sets of objects, which are empty if not configured. */
function isWritten(value: Value | undefined): boolean {
  if (value === undefined || value.isNull) return false;
  const isBlock = isCollection(value.type) && value.type.element.kind === 'object';
  return !isBlock || value.length > 0;
}

/** `metadata_options.0.http_tokens`; blocks of sets have no number. */
export function dotted(path: Path): string {
  return path
    .flatMap((step) => {
      if (step.kind === 'attr') return [step.name];
      if (step.key.type.kind === 'number') return [formatNumber(step.key.asNum())];
      return step.key.type.kind === 'string' ? [step.key.asString()] : [];
    })
    .join('.');
}

function nameAt(path: Path): string {
  const last = path.at(-1);
  return last?.kind === 'attr' ? last.name : dotted(path);
}
