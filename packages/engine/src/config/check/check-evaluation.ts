import { parseReference, type Reference } from '@terrane/addresses';
import { convert, CtyError, DYNAMIC, type Type, unknownOf, type Value } from '@terrane/cty';
import {
  type Body,
  decodeBody,
  type Diagnostic,
  errorDiagnostic,
  evaluate,
  expandDynamic,
  type Expression,
  hasErrors,
  type Range,
  rangeBetween,
  type Scope,
  type Traversal,
} from '@terrane/hcl';
import { type BlockSchema, decodeSpec, impliedType } from '@terrane/provider';
import { formatCtyError } from '../../lang/format-error.ts';
import type { References } from '../../lang/references.ts';
import {
  referencesInBody,
  referencesInExpression,
  referencesOfGenerators,
} from '../../lang/references.ts';
import { explainUnknownFunction } from '../unknown-function.ts';
import type { WarningScope } from '../deprecations.ts';
import type { CheckRule, Variable } from '../model.ts';
import type { CheckScope } from './check-scope.ts';
import type { CheckVisitor, Repeated } from './check-visitor.ts';
import { evaluateMessage } from './condition-message.ts';

/** Validates references. Returns false if any is invalid, in which case the expression must not be evaluated. */
export function checkReferences(
  referenced: References,
  scope: CheckScope,
  diagnostics: Diagnostic[],
): boolean {
  const { references, diagnostics: malformed } = referenced;
  if (references.length === 0 && malformed.length === 0) return true;
  const before = diagnostics.length;
  if (malformed.length > 0) diagnostics.push(...malformed);
  for (let i = 0; i < references.length; i++) {
    const problems = scope.staticProblems(references[i] as Reference);
    if (problems.length > 0) diagnostics.push(...problems);
  }
  if (diagnostics.length > before && hasErrors(diagnostics, before)) return false;
  for (let i = 0; i < references.length; i++) {
    const problems = scope.valueProblems(references[i] as Reference);
    if (problems.length > 0) diagnostics.push(...problems);
  }
  return diagnostics.length === before || !hasErrors(diagnostics, before);
}

function pushExplained(
  reported: readonly Diagnostic[],
  scope: CheckScope,
  diagnostics: Diagnostic[],
): void {
  for (const diagnostic of reported) diagnostics.push(explainUnknownFunction(diagnostic, scope));
}

/** Returns the value of an expression; unknown if it has errors. */
export function checkExpression(
  expression: Expression,
  type: Type,
  scope: CheckScope,
  diagnostics: Diagnostic[],
): Value {
  if (!checkReferences(referencesInExpression(expression), scope, diagnostics)) {
    return unknownOf(type);
  }
  const problems: Diagnostic[] = [];
  const value = evaluate(expression, scope, problems);
  pushExplained(problems, scope, diagnostics);
  if (type === DYNAMIC) return value;
  try {
    return convert(value, type);
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    const detail = `Invalid expression value: ${formatCtyError(error)}.`;
    const more = { expression, scope };
    diagnostics.push(errorDiagnostic('Incorrect value type', detail, expression.range, more));
    return unknownOf(type);
  }
}

/** Returns the value of a body by its schema; unknown if its references have errors. */
export function checkBlock(
  body: Body,
  block: BlockSchema,
  scope: CheckScope,
  diagnostics: Diagnostic[],
): Value {
  const expanded = expandIn(body, block, scope, diagnostics);
  if (!checkReferences(referencesInBody(expanded, block), scope, diagnostics)) {
    return unknownOf(impliedType(block));
  }
  const problems: Diagnostic[] = [];
  const value = decodeBody(expanded, decodeSpec(block), scope, problems);
  if (problems.length > 0) pushExplained(problems, scope, diagnostics);
  return value;
}

/** Returns the body with its `dynamic` blocks expanded. Blocks that are not generated are not checked further. */
function expandIn(
  body: Body,
  block: BlockSchema,
  scope: CheckScope,
  diagnostics: Diagnostic[],
): Body {
  const expanded = expandDynamic(body, scope);
  if (expanded === body) return body;
  const { references, diagnostics: malformed } = referencesOfGenerators(body, block);
  const problems = references.flatMap((reference) => scope.staticProblems(reference));
  diagnostics.push(...malformed, ...problems);
  if (hasErrors(malformed) || hasErrors(problems)) return expandDynamic(body, withoutNames(scope));
  diagnostics.push(...references.flatMap((reference) => scope.valueProblems(reference)));
  return expanded;
}

/** Validates `depends_on`: references to declared objects without further steps. */
export function checkDependsOn(
  dependsOn: readonly Traversal[],
  scope: CheckScope,
  diagnostics: Diagnostic[],
): void {
  if (dependsOn.length === 0) return;
  const problems: Diagnostic[] = [];
  for (const traversal of dependsOn) {
    const { reference, diagnostics: malformed } = parseReference(traversal);
    problems.push(...malformed);
    const extra = reference === undefined ? [] : traversal.steps.slice(reference.consumed);
    const [first] = extra;
    const last = extra.at(-1);
    if (first !== undefined && last !== undefined && !hasErrors(malformed)) {
      problems.push(
        errorDiagnostic(
          'Invalid depends_on reference',
          'References in depends_on must be to a whole object (resource, etc), not to an attribute of an object.',
          rangeBetween(first.range, last.range),
        ),
      );
    }
    if (reference === undefined || hasErrors(problems)) continue;
    problems.push(...scope.staticProblems(reference), ...scope.valueProblems(reference));
  }
  diagnostics.push(...problems);
}

/** `count`, `for_each` and `enabled`. */
export function checkRepetition(
  at: Repeated,
  scope: CheckScope,
  visitor: CheckVisitor,
  diagnostics: Diagnostic[],
): void {
  const expressions = [at.count, at.forEach, at.enabled].filter((each) => each !== undefined);
  if (expressions.length === 0) return;
  for (const expression of expressions) {
    if (!checkReferences(referencesInExpression(expression), scope, diagnostics)) return;
  }
  const problems: Diagnostic[] = [];
  if (visitor.repetition !== undefined) visitor.repetition(at, scope, problems);
  else {
    for (const expression of expressions) evaluate(expression, scope, problems);
  }
  pushExplained(problems, scope, diagnostics);
}

/**
 * Validates the precondition of an output, or the assertion of a check. They are evaluated even if their references
 * have errors, without the referenced objects; the result of an assertion is determined by a plan, so only its message
 * must be valid.
 */
export function checkRule(
  kind: 'outputPrecondition' | 'assertion',
  rule: CheckRule,
  scope: CheckScope,
  visitor: CheckVisitor,
  diagnostics: Diagnostic[],
): void {
  const before = diagnostics.length;
  const visible = scopeOf(referencesOfRules([rule]), scope, diagnostics);
  const problems: Diagnostic[] = [];
  if (kind === 'outputPrecondition' && !hasErrors(diagnostics, before) && visitor.precondition) {
    visitor.precondition(rule, scope, problems);
  } else {
    evaluateMessage(rule.errorMessage, visible, problems);
    if (kind === 'outputPrecondition') evaluate(rule.condition, visible, problems);
  }
  pushExplained(problems, scope, diagnostics);
}

function referencesOfRules(rules: readonly CheckRule[]): References {
  const referenced = rules.flatMap((rule) => [
    referencesInExpression(rule.condition),
    referencesInExpression(rule.errorMessage),
  ]);
  return {
    references: referenced.flatMap((part) => part.references),
    diagnostics: referenced.flatMap((part) => part.diagnostics),
  };
}

/** Validates references and returns the scope for the expression: empty if a reference names an undeclared object. */
function scopeOf(
  referenced: References,
  scope: CheckScope,
  diagnostics: Diagnostic[],
): WarningScope {
  const problems = referenced.references.flatMap((reference) => scope.staticProblems(reference));
  diagnostics.push(...referenced.diagnostics, ...problems);
  if (problems.length > 0) return withoutNames(scope);
  diagnostics.push(...referenced.references.flatMap((reference) => scope.valueProblems(reference)));
  return scope;
}

/**
 * Validates the validation rules of a variable for the value `input`, at the range `at`; with undefined, the value is
 * unknown.
 */
export function checkValidations(
  variable: Variable,
  input: Value | undefined,
  at: Range,
  scope: CheckScope,
  visitor: CheckVisitor,
  diagnostics: Diagnostic[],
): void {
  const before = diagnostics.length;
  const references = referencesOfRules(variable.validations);
  diagnostics.push(...references.diagnostics);
  if (hasErrors(diagnostics, before)) return;
  if (!checkReferences({ ...references, diagnostics: [] }, scope, diagnostics)) return;
  const value = input ?? unknownOf(variable.type);
  const inside = scope.withVariable(
    variable.name,
    variable.ephemeral ? value.mark('ephemeral') : value,
  );
  const problems: Diagnostic[] = [];
  if (visitor.validations !== undefined) visitor.validations(variable, at, inside, problems);
  else for (const rule of variable.validations) evaluateRule(rule, inside, problems);
  pushExplained(problems, inside, diagnostics);
}

function evaluateRule(rule: CheckRule, scope: Scope, diagnostics: Diagnostic[]): void {
  evaluate(rule.condition, scope, diagnostics);
  evaluate(rule.errorMessage, scope, diagnostics);
}

/** Validates a resource's condition and message: they are evaluated even if their references have errors. */
export function checkResourceRule(
  rule: { readonly condition: Expression; readonly errorMessage: Expression },
  scope: CheckScope,
  diagnostics: Diagnostic[],
): void {
  for (const expression of [rule.condition, rule.errorMessage]) {
    const visible = scopeOf(referencesInExpression(expression), scope, diagnostics);
    const problems: Diagnostic[] = [];
    evaluate(expression, visible, problems);
    pushExplained(problems, scope, diagnostics);
  }
}

function withoutNames(scope: CheckScope): WarningScope {
  return {
    warnsFor: scope.warnsFor,
    resolve: () => undefined,
    peek: () => undefined,
    rootNames: () => [],
    functionNamed: (name, place) => scope.functionNamed(name, place),
    functionNames: () => scope.functionNames(),
  };
}
