import {
  applyPath,
  conformanceErrors,
  conforms,
  CtyError,
  formatPath,
  infinitePaths,
  nullOf,
  quoteText,
} from '@terrane/cty';
import type { Path, Value } from '@terrane/cty';
import type { ContractError } from '../change/contract-error.ts';
import type { ProviderDiagnostic } from '../contract.ts';
import { impliedType } from '../schema/implied-type.ts';
import type { BlockSchema, ProviderSchema, Schema } from '../schema/model.ts';
import { writeOnlyPaths } from '../schema/value-paths.ts';

/** The sentence that ends most messages about a provider that breaks the contract. */
export const PROVIDER_BUG =
  "\n\nThis is a bug in the provider, which should be reported in the provider's own issue tracker.";

/** Names for messages and constraints on the values under test. */
export interface Subject {
  /** the provider's source address, quoted as messages show it */
  readonly provider: string;
  /** address of the provider's configuration block, quoted as messages show it */
  readonly providerConfig: string;
  /** the provider configuration's address, unquoted */
  readonly configAddress: string;
  /** the resource instance */
  readonly address: string;
  readonly schema: Schema;
  /** all schemas of the provider */
  readonly schemas: ProviderSchema;
}

/** Returns the null object of a subject's type, which replaces an unusable one. */
export function nullObject({ schema }: Subject): Value {
  return nullOf(impliedType(schema.block));
}

/** Returns an error about the provider itself. */
export function violation(summary: string, detail: string): ProviderDiagnostic {
  return { severity: 'error', summary, detail, sourceless: true };
}

/** Returns true if there is an error among diagnostics. */
export function hasError(diagnostics: readonly ProviderDiagnostic[] | undefined): boolean {
  return diagnostics !== undefined && diagnostics.some((d) => d.severity === 'error');
}

/** Returns the differences between the type of a value and the type that a schema implies, and the infinite numbers in it. */
export function typeErrors(v: Value, schema: Schema): readonly ContractError[] {
  const type = impliedType(schema.block);
  const errors = conforms(v.type, type) ? NO_ERRORS : conformanceErrors(v.type, type);
  if (!v.containsInfinity()) return errors;
  const message = 'a finite number is required';
  return [...errors, ...infinitePaths(v).map((path) => ({ path, message }))];
}

const NO_ERRORS: readonly ContractError[] = [];

/** Returns an error for each write-only argument that is not null; `detail` receives the path as text. */
export function writeOnlyViolations(
  summary: string,
  detail: (path: string) => string,
  v: Value,
  b: BlockSchema,
): readonly ProviderDiagnostic[] {
  const violations: ProviderDiagnostic[] = [];
  for (const path of writeOnlyPaths(b, v)) {
    const inner = innerAt(v, path);
    if (inner instanceof CtyError) {
      const text = `Error validating write-only attributes: ${inner.message}.`;
      return [violation(summary, text)];
    }
    if (!inner.isNull) violations.push(violation(summary, detail(formatPath(path))));
  }
  return violations;
}

function innerAt(v: Value, path: Path): Value | CtyError {
  try {
    return applyPath(v, path);
  } catch (error) {
    if (error instanceof CtyError) return error;
    throw error;
  }
}

/** Returns the error for an operation that was deferred without permission. */
export function deferralViolation(address: string): ProviderDiagnostic {
  return violation(
    'Provider deferred changes when Terraform did not allow deferrals',
    `The provider signaled a deferred action for ${quoteText(address)}, but in this context deferrals are disabled. This is a bug in the provider, please file an issue with the provider developers.`,
  );
}
