import { BOOL, convert, CtyError, friendlyName, numToInt, NUMBER, type Value } from '@terrane/cty';
import { type Diagnostic, errorDiagnostic, evaluate, type Expression } from '@terrane/hcl';
import { takeDeprecations, type WarningScope } from '../config/deprecations.ts';
import { evaluateAs } from './evaluate-as.ts';
import { DISABLED, type Expansion, SINGLE } from './repetition.ts';
import { type Excludable, unknownCountDetail, unknownKeysDetail } from './unknown-repetition.ts';

/** The arguments that cause a repetition. */
export interface Repeatable {
  readonly count?: Expression;
  readonly forEach?: Expression;
  readonly enabled?: Expression;
  /** the owner of the keys, in messages; default: "a resource" */
  readonly keyOwner?: string;
}

/** Returns true if an object has an argument that determines its instances. */
export function isRepeated({ count, forEach, enabled }: Repeatable): boolean {
  return count !== undefined || forEach !== undefined || enabled !== undefined;
}

/**
 * Evaluates `count`, `for_each` or `enabled`. During validation, and with `allowUnknown`, an unknown value returns an
 * unknown expansion; otherwise it is an error, whose message may suggest excluding the repeated object. Undefined after
 * errors.
 */
export function evaluateExpansion(
  at: Repeatable,
  scope: WarningScope,
  validating: boolean,
  diagnostics: Diagnostic[],
  allowUnknown: boolean = validating,
  excludable?: Excludable,
): Expansion | undefined {
  const permit: Permit = { validating, allowUnknown, excludable };
  if (at.count !== undefined) return countExpansion(at.count, scope, permit, diagnostics);
  if (at.forEach !== undefined)
    return forEachExpansion(at.forEach, at.keyOwner, scope, permit, diagnostics);
  if (at.enabled !== undefined) return enabledExpansion(at.enabled, scope, validating, diagnostics);
  return SINGLE;
}

interface Permit {
  readonly validating: boolean;
  /** true if an unknown value returns an unknown expansion */
  readonly allowUnknown: boolean;
  readonly excludable: Excludable | undefined;
}

function enabledExpansion(
  expression: Expression,
  scope: WarningScope,
  validating: boolean,
  diagnostics: Diagnostic[],
): Expansion | undefined {
  const before = errorCount(diagnostics);
  const evaluated = evaluate(expression, scope, diagnostics);
  const enabledValue = takeDeprecations(evaluated, expression.range, scope.warnsFor, diagnostics);
  // The plan reports unsuitable values, for all of them at once.
  if (validating) return errorCount(diagnostics) > before ? undefined : SINGLE;
  const fail = (reason: string, extra?: Diagnostic['extra']): void => {
    const at = extra === undefined ? { expression, scope } : { expression, scope, extra };
    diagnostics.push(errorDiagnostic('Invalid enabled argument', reason, expression.range, at));
  };
  const unsuitable = (reason: string): void =>
    fail(`The given "enabled" argument value is unsuitable: ${reason}.`);
  if (enabledValue.hasMark('sensitive')) {
    fail(
      'Sensitive values, or values derived from sensitive values, cannot be used in "enabled" arguments. If used, the sensitive value would be exposed by whether an instance is present.',
      { kind: 'sensitive' },
    );
  }
  if (enabledValue.hasMark('ephemeral')) unsuitable('the given value is ephemeral');
  const value = enabledValue.unmark();
  if (value.isNull) unsuitable('the given value is null');
  if (!value.isKnown) {
    fail(
      'The given "enabled" argument value is derived from a value that won\'t be known until the apply phase, so OpenTofu cannot determine whether an instance of this object is declared or not.',
      { kind: 'unknown' },
    );
  }
  if (errorCount(diagnostics) > before) return undefined;
  try {
    const enabled = convert(value, BOOL);
    return enabled.asBool() ? SINGLE : DISABLED;
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    unsuitable(error.message);
    return undefined;
  }
}

function countExpansion(
  expression: Expression,
  scope: WarningScope,
  { validating, allowUnknown, excludable }: Permit,
  diagnostics: Diagnostic[],
): Expansion | undefined {
  const fail = (detail: string, extra?: Partial<Diagnostic>): undefined => {
    diagnostics.push(errorDiagnostic('Invalid count argument', detail, expression.range, extra));
    return undefined;
  };
  const evaluated = evaluateAs(expression, NUMBER, scope, diagnostics);
  if (evaluated === undefined) return undefined;
  if (evaluated.hasMark('ephemeral')) {
    return fail(
      'The given "count" is derived from an ephemeral value, which means that Terraform cannot persist it between plan/apply rounds. Use only non-ephemeral values to specify the number of resource instances.',
      { extra: { kind: 'ephemeral' } },
    );
  }
  takeDeprecations(evaluated, expression.range, scope.warnsFor, diagnostics);
  const value = evaluated.unmark();
  if (value.isNull)
    return fail('The given "count" argument value is null. An integer is required.');
  if (!value.isKnown) {
    if (allowUnknown) return { kind: 'unknown', by: 'count' };
    return fail(unknownCountDetail(expression.range, excludable), { extra: { kind: 'unknown' } });
  }
  const count = numToInt(value.asNum());
  if (count === undefined || BigInt.asIntN(64, count) !== count) {
    return fail(
      'The given "count" argument value is unsuitable: value must be a whole number, between -9223372036854775808 and 9223372036854775807.',
    );
  }
  if (count < 0n) {
    return fail(
      'The given "count" argument value is unsuitable: must be greater than or equal to zero.',
    );
  }
  const known: Expansion = { kind: 'count', count: Number(count) };
  return validating ? { kind: 'unknown', by: 'count' } : known;
}

/** Returns the error detail for a set whose elements are no strings or null. */
function setElementProblem(value: Value): string | undefined {
  const { type } = value;
  if (type.kind !== 'set' || value.length === 0) return undefined;
  if (type.element.kind !== 'string')
    return `The given "for_each" argument value is unsuitable: "for_each" supports maps and sets of strings, but you have provided a set containing type ${friendlyName(type.element)}.`;
  if (value.elements().some((element) => element.isNull))
    return 'The given "for_each" argument value is unsuitable: "for_each" sets must not contain null values.';
  return undefined;
}

function forEachExpansion(
  expression: Expression,
  keyOwner: string | undefined,
  scope: WarningScope,
  { validating, allowUnknown, excludable }: Permit,
  diagnostics: Diagnostic[],
): Expansion | undefined {
  const fail = (summary: string, detail: string, extra?: Diagnostic['extra']): undefined => {
    const more = extra === undefined ? { expression, scope } : { expression, scope, extra };
    diagnostics.push(errorDiagnostic(summary, detail, expression.range, more));
    return undefined;
  };
  const before = errorCount(diagnostics);
  const evaluated = evaluate(expression, scope, diagnostics);
  if (errorCount(diagnostics) > before) return undefined;
  const value = takeDeprecations(evaluated, expression.range, scope.warnsFor, diagnostics);
  const { type } = value;
  const unknownKeys = !value.isKnown || (type.kind === 'set' && !value.unmark().isWhollyKnown());
  if (unknownKeys && !allowUnknown) {
    const detail = unknownKeysDetail(type, expression.range, excludable);
    return fail('Invalid for_each argument', detail, { kind: 'unknown' });
  }
  for (const { kind, problem } of MARK_PROBLEMS)
    if (value.hasMark(kind))
      fail('Invalid for_each argument', problem(keyOwner ?? 'a resource'), { kind });
  if (errorCount(diagnostics) > before) return undefined;
  if (value.isNull) {
    return fail(
      'Invalid for_each argument',
      'The given "for_each" argument value is unsuitable: the given "for_each" argument value is null. A map, or set of strings is allowed.',
    );
  }
  if (
    type.kind !== 'dynamic' &&
    type.kind !== 'map' &&
    type.kind !== 'set' &&
    type.kind !== 'object'
  ) {
    return fail(
      'Invalid for_each argument',
      `The given "for_each" argument value is unsuitable: the "for_each" argument must be a map, or set of strings, and you have provided a value of type ${friendlyName(type)}.`,
    );
  }
  if (unknownKeys) return { kind: 'unknown', by: 'forEach' };
  const plain = value.unmark();
  const elementProblem = setElementProblem(plain);
  if (elementProblem !== undefined) return fail('Invalid for_each set argument', elementProblem);
  if (validating) return { kind: 'unknown', by: 'forEach' };
  const each = new Map<string, Value>();
  for (const [key, element] of plain.entries()) each.set(key.asString(), element);
  return { kind: 'forEach', each };
}

/** Marks that `for_each` rejects, with their errors: instance keys are stored and displayed. */
const MARK_PROBLEMS = [
  {
    kind: 'sensitive',
    problem: (owner: string): string =>
      `Sensitive values, or values derived from sensitive values, cannot be used as for_each arguments. If used, the sensitive value could be exposed as ${owner} instance key.`,
  },
  {
    kind: 'ephemeral',
    problem: (): string =>
      'The given "for_each" value is derived from an ephemeral value, which means that Terraform cannot persist it between plan/apply rounds. Use only non-ephemeral values to specify a resource\'s instance keys.',
  },
] as const;

/** The number of errors among diagnostics, to detect whether a call added one. */
export function errorCount(diagnostics: readonly Diagnostic[]): number {
  let count = 0;
  // By index: this is determined several times for each instance, mostly of an empty list.
  for (let i = 0; i < diagnostics.length; i++) if (diagnostics[i]?.severity === 'error') count++;
  return count;
}
