import { attrStep } from '@terrane/cty';
import type { Path, Value } from '@terrane/cty';
import type { ProviderDiagnostic } from '../contract.ts';
import { error } from './diagnostics.ts';

declare const names: unique symbol;

/** A check of several arguments of an object. `N`: the arguments that it reads. */
export interface ObjectValidator<N extends string = never> {
  readonly kind: 'object validator';
  readonly validate: (config: Value) => readonly ProviderDiagnostic[];
  readonly [names]?: N;
}

// The texts are those of the published validators for terraform-plugin-framework.

function ofConfigured<const N extends string>(
  argumentNames: readonly N[],
  check: (configured: readonly Value[], all: string) => string | undefined,
  summary: string | ((configured: readonly Value[]) => string),
): ObjectValidator<N> {
  return {
    kind: 'object validator',
    validate: (config) => {
      const values = argumentNames.map((name) => config.attr(name));
      if (values.some((v) => !v.isKnown)) return [];
      const configured = values.filter((v) => !v.isNull);
      const detail = check(configured, `[${argumentNames.join(',')}]`);
      if (detail === undefined) return [];
      const subject = typeof summary === 'string' ? summary : summary(configured);
      return [error(subject, detail, placeOf(argumentNames))];
    },
  };
}

function placeOf(argumentNames: readonly string[]): Path | undefined {
  const [first] = argumentNames;
  return first === undefined ? undefined : [attrStep(first)];
}

/** Validates that no two of some arguments are configured together. */
export function conflicting<const N extends string>(
  ...argumentNames: readonly N[]
): ObjectValidator<N> {
  return ofConfigured(
    argumentNames,
    (configured, all) =>
      configured.length > 1 ? `These attributes cannot be configured together: ${all}` : undefined,
    'Invalid Attribute Combination',
  );
}

/** Exactly one of some arguments is written. */
export function exactlyOneConfigured<const N extends string>(
  ...argumentNames: readonly N[]
): ObjectValidator<N> {
  return ofConfigured(
    argumentNames,
    (configured, all) => {
      if (configured.length === 1) return undefined;
      return `Exactly one of these attributes must be configured: ${all}`;
    },
    (configured) =>
      configured.length === 0 ? 'Missing Attribute Configuration' : 'Invalid Attribute Combination',
  );
}

/** Either all of some arguments are written, or none. */
export function requiredTogether<const N extends string>(
  ...argumentNames: readonly N[]
): ObjectValidator<N> {
  return ofConfigured(
    argumentNames,
    (configured, all) =>
      configured.length === 0 || configured.length === argumentNames.length
        ? undefined
        : `These attributes must be configured together: ${all}`,
    'Invalid Attribute Combination',
  );
}

/** Validates that at least one of some arguments is configured. */
export function atLeastOneConfigured<const N extends string>(
  ...argumentNames: readonly N[]
): ObjectValidator<N> {
  return {
    kind: 'object validator',
    validate: (config) => {
      const values = argumentNames.map((name) => config.attr(name));
      if (values.some((v) => !v.isKnown || !v.isNull)) return [];
      const detail = `At least one of these attributes must be configured: [${argumentNames.join(',')}]`;
      return [error('Missing Attribute Configuration', detail)];
    },
  };
}
