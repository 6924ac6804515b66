import { CtyError, convert, BOOL, EMPTY_OBJECT_VALUE, STRING, type Value } from '@terrane/cty';
import {
  type Diagnostic,
  errorDiagnostic,
  evaluate,
  type Expression,
  hasErrors,
} from '@terrane/hcl';
import {
  ENFORCEMENT_LEVELS,
  type Enforcement,
  type EnforcementLevel,
  type Policy,
} from '../language/model.ts';
import { type FileScope, ObjectScope } from './policy-scope.ts';
import {
  type EnforcementResult,
  type PolicyOutcome,
  type PolicyResult,
  worstOutcome,
} from './result.ts';

/** The values of an object that a policy is evaluated for. */
export interface ObjectValues {
  readonly attrs: Value;
  readonly priorAttrs?: Value;
  readonly meta?: Value;
}

/** Replaces messages with sensitive parts. */
export const SENSITIVE_MESSAGE =
  'The message of this policy refers to a sensitive value, so it is not displayed.';

/** Evaluates a policy for an object. Returns undefined if its filter excludes the object. */
export function evaluatePolicy(
  policy: Policy,
  scope: FileScope,
  values: ObjectValues,
): PolicyResult | undefined {
  const { file } = scope;
  const diagnostics: Diagnostic[] = [];
  const level = enforcementLevel(policy, scope, diagnostics);
  const base = { policy, file, level } as const;
  if (diagnostics.length > 0) return { ...base, outcome: 'error', enforcements: [], diagnostics };
  const objectScope = new ObjectScope(scope, policy, rootsOf(policy, values));
  const selected =
    policy.filter === undefined
      ? 'pass'
      : condition(policy.filter, 'filter', objectScope, diagnostics);
  if (selected === 'fail') return undefined;
  if (selected !== 'pass') return { ...base, outcome: selected, enforcements: [], diagnostics };
  const enforcements = policy.enforcements.map((each) => enforce(each, objectScope, diagnostics));
  const outcome = worstOutcome(enforcements.map((each) => each.outcome));
  return { ...base, outcome, enforcements, diagnostics };
}

function rootsOf(policy: Policy, values: ObjectValues): ReadonlyMap<string, Value> {
  const roots = new Map([
    ['attrs', values.attrs],
    ['meta', values.meta ?? EMPTY_OBJECT_VALUE],
  ]);
  if (values.priorAttrs !== undefined && policy.kind === 'resource')
    roots.set('prior_attrs', values.priorAttrs);
  return roots;
}

/** Returns the level of a policy: its own, that of its file, or mandatory. */
export function enforcementLevel(
  policy: Policy,
  scope: FileScope,
  diagnostics: Diagnostic[],
): EnforcementLevel {
  const expression = policy.enforcementLevel ?? scope.file.enforcementLevel;
  if (expression === undefined) return 'mandatory';
  const before = diagnostics.length;
  const value = evaluate(expression, scope, diagnostics).unmark();
  if (hasErrors(diagnostics, before)) return 'mandatory';
  const isText = value.isKnown && !value.isNull && value.type.kind === 'string';
  const text = isText ? value.asString() : undefined;
  const level = ENFORCEMENT_LEVELS.find((each) => each === text);
  if (level !== undefined) return level;
  diagnostics.push(
    errorDiagnostic(
      'Invalid enforcement level',
      'The level must be "advisory", "mandatory_overridable" or "mandatory".',
      expression.range,
    ),
  );
  return 'mandatory';
}

function enforce(
  enforcement: Enforcement,
  scope: ObjectScope,
  diagnostics: Diagnostic[],
): EnforcementResult {
  const outcome = condition(enforcement.condition, 'condition', scope, diagnostics);
  const expression =
    outcome === 'fail'
      ? enforcement.errorMessage
      : outcome === 'pass'
        ? enforcement.infoMessage
        : undefined;
  const message = expression === undefined ? undefined : messageOf(expression, scope);
  return { enforcement, outcome, ...(message === undefined ? {} : { message }) };
}

/** Evaluates a condition: true is `pass`, false is `fail`. */
function condition(
  expression: Expression,
  name: 'condition' | 'filter',
  scope: ObjectScope,
  diagnostics: Diagnostic[],
): PolicyOutcome {
  const before = diagnostics.length;
  const value = evaluate(expression, scope, diagnostics).unmark();
  if (hasErrors(diagnostics, before)) return 'error';
  if (!value.isKnown) return 'unknown';
  let result: Value | undefined;
  try {
    result = value.isNull ? undefined : convert(value, BOOL);
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
  }
  if (result !== undefined) return result.asBool() ? 'pass' : 'fail';
  diagnostics.push(
    errorDiagnostic(
      `Invalid ${name} result`,
      `The ${name} of a policy must be true or false${value.isNull ? ', not null' : ''}. Handle missing values, for example with core::try or a comparison with null.`,
      expression.range,
      { expression, scope },
    ),
  );
  return 'error';
}

/** Evaluates a message. Errors of the message are ignored, since they must not replace the result. */
function messageOf(expression: Expression, scope: ObjectScope): string | undefined {
  const diagnostics: Diagnostic[] = [];
  const value = evaluate(expression, scope, diagnostics);
  if (hasErrors(diagnostics))
    return `The message of this policy cannot be evaluated: ${diagnostics[0]?.summary ?? ''}.`;
  if (value.hasMarkDeep('sensitive') || value.hasMarkDeep('ephemeral')) return SENSITIVE_MESSAGE;
  const plain = value.unmark();
  if (!plain.isKnown) return 'The message of this policy depends on values that are not known yet.';
  if (plain.isNull) return undefined;
  try {
    return convert(plain, STRING).asString().slice(0, MAX_MESSAGE_LENGTH);
  } catch (error) {
    if (error instanceof CtyError) return undefined;
    throw error;
  }
}

const MAX_MESSAGE_LENGTH = 10_000;
