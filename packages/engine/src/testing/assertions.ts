import type { Reference } from '@terrane/addresses';
import {
  BOOL,
  compareText,
  convert,
  CtyError,
  type FunctionSpec,
  NULL,
  object,
  quoteText,
  UNKNOWN,
  unknownAsNull,
  type Value,
} from '@terrane/cty';
import {
  type Comparison,
  type Diagnostic,
  errorDiagnostic,
  evaluate,
  type Expression,
  hasErrors,
  type Scope,
} from '@terrane/hcl';
import { referenceProblems } from '../config/check/static-reference.ts';
import { dialectRules } from '../config/dialect.ts';
import type { CheckRule, Configuration, Schemas } from '../config/model.ts';
import type { TestRun } from '../config/test/model.ts';
import { didYouMean } from '../lang/did-you-mean.ts';
import { explainUnknownFunction } from '../config/unknown-function.ts';
import type { ProviderSessions } from '../session/provider-sessions.ts';
import { evaluateMessage } from '../config/check/condition-message.ts';
import type { Evaluation } from '../evaluate/evaluation.ts';
import { AssertionScope, type RunOutputs, testReferences } from './test-scope.ts';

/** Settings of the assertions of a run. */
export interface AssertionSettings {
  /** the evaluation of the run's plan or apply */
  readonly evaluation: Evaluation;
  readonly configuration: Configuration;
  readonly schemas: Schemas;
  readonly functions: ReadonlyMap<string, FunctionSpec>;
  /** for provider functions */
  readonly sessions: ProviderSessions;
  readonly runs: RunOutputs;
  /** variables that the configuration does not declare */
  readonly variables: ReadonlyMap<string, Value>;
}

/** The outcome of the assertions of a run. */
export interface AssertionOutcome {
  readonly status: 'pass' | 'fail' | 'error';
  /** the outputs of the run's module, for later runs */
  readonly outputs: Value;
  readonly diagnostics: readonly Diagnostic[];
  /** the result of each assertion; undefined if it could not be evaluated */
  readonly held: readonly (boolean | undefined)[];
}

/** Evaluates the assertions of a run (moduletest.EvalContext.Evaluate). */
export async function evaluateAssertions(
  run: TestRun,
  settings: AssertionSettings,
): Promise<AssertionOutcome> {
  const { evaluation, configuration, functions, sessions, runs, variables } = settings;
  const { scope: module, evaluate } = evaluation.later(functions, sessions);
  const outputs = new Map<string, Value>();
  for (const { name, sensitive } of configuration.root.outputs.values()) {
    outputs.set(name, storedOutput(evaluation.root.outputs.get(name) ?? NULL, sensitive));
  }
  const scope = new AssertionScope(module, { outputs, runs, variables });
  const diagnostics: Diagnostic[] = [];
  const results: (boolean | undefined)[] = [];
  let status: AssertionOutcome['status'] = 'pass';
  for (const rule of run.asserts) {
    const problems: Diagnostic[] = [];
    const result = await evaluate(problems, (pass) =>
      evaluateAssertion(rule, settings, scope, pass.diagnostics),
    );
    for (const problem of problems) diagnostics.push(explainUnknownFunction(problem, module));
    results.push(result);
    if (result === undefined) status = 'error';
    else if (!result && status === 'pass') status = 'fail';
  }
  return { status, outputs: object(outputs), diagnostics, held: results };
}

/** Converts a root output as a state would store it: unknown parts are null, and a wholly unknown value has no type. */
function storedOutput(value: Value, sensitive: boolean): Value {
  const storedText = unknownAsNull(value.unmarkDeep().value);
  // A state has no outputs that are null, and so forgets their types.
  const none = value.isNull ? NULL : UNKNOWN;
  const knownValue = storedText.isNull ? none : storedText;
  return sensitive ? knownValue.mark('sensitive') : knownValue;
}

/** Evaluates an assertion; undefined, with errors, if it cannot be evaluated. */
function evaluateAssertion(
  rule: CheckRule,
  settings: AssertionSettings,
  scope: Scope,
  diagnostics: Diagnostic[],
): boolean | undefined {
  const { condition, errorMessage } = rule;
  const before = diagnostics.length;
  const references: Reference[] = [];
  for (const e of [condition, errorMessage]) {
    const referenced = testReferences(e);
    diagnostics.push(...referenced.diagnostics);
    references.push(...referenced.references);
  }
  for (const reference of references) {
    const { subject, range } = reference;
    if (subject.kind !== 'resource' || subject.resource.mode !== 'ephemeral') continue;
    diagnostics.push(
      errorDiagnostic(
        'Ephemeral resources cannot be asserted',
        'Ephemeral resources are closed when the test is finished, and are not available within the test context for assertions.',
        range,
      ),
    );
  }
  const problems: Diagnostic[] = [];
  for (const reference of references) problems.push(...problemsOf(reference, settings));
  if (hasErrors(problems)) {
    diagnostics.push(...problems);
    return undefined;
  }
  const message = evaluateMessage(errorMessage, scope, diagnostics);
  const value = evaluate(condition, scope, diagnostics);
  if (hasErrors(diagnostics, before)) return undefined;
  const at = { expression: condition, scope };
  const fail = (summary: string, detail: string): undefined => {
    diagnostics.push(errorDiagnostic(summary, detail, condition.range, at));
    return undefined;
  };
  if (value.isNull) {
    return fail(
      'Invalid condition run',
      'Condition expression must return either true or false, not null.',
    );
  }
  if (!value.isKnown) {
    return fail(
      'Unknown condition value',
      'Condition expression could not be evaluated at this time. This means you have executed a `run` block with `command = plan` and one of the values your condition depended on is not known until after the plan has been applied. Either remove this value from your condition, or execute an `apply` command from this `run` block. Alternatively, if there is an override for this value, you can make it available during the plan phase by setting `override_during = plan` in the `override_` block.',
    );
  }
  let isTrue: boolean;
  try {
    isTrue = convert(value, BOOL).unmark().asBool();
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    return fail('Invalid condition run', `Invalid condition run value: ${error.message}.`);
  }
  if (isTrue) return true;
  const compared = comparisonOf(condition, scope);
  const extra = { kind: 'assertion', ...(compared === undefined ? {} : { compared }) } as const;
  diagnostics.push(
    errorDiagnostic('Test assertion failed', message, condition.range, { ...at, extra }),
  );
  return false;
}

/** Returns the operands of a condition that is an equality comparison. */
function comparisonOf(condition: Expression, scope: Scope): Comparison | undefined {
  if (condition.kind !== 'binary' || condition.operator !== '==') return undefined;
  // The condition has been evaluated before, so its parts have no new errors.
  const ignored: Diagnostic[] = [];
  const left = evaluate(condition.left, scope, ignored);
  const right = evaluate(condition.right, scope, ignored);
  if (left.hasMarkDeep('ephemeral') || right.hasMarkDeep('ephemeral')) return undefined;
  return { left, right, isShownInFull: dialectRules(condition.range).showsComparisons };
}

/** Returns the static errors of a reference in an assertion. */
function problemsOf(reference: Reference, settings: AssertionSettings): readonly Diagnostic[] {
  const { configuration, schemas, runs, variables } = settings;
  const { subject, range } = reference;
  const { root } = configuration;
  switch (subject.kind) {
    case 'run': {
      const name = quoteText(subject.name);
      if (!runs.has(subject.name)) {
        const hint = didYouMean(subject.name, [...runs.keys()].sort(compareText));
        const detail = `There is no run ${name} declared in this test suite.${hint}`;
        return [errorDiagnostic('Reference to undeclared run block', detail, range)];
      }
      if (runs.get(subject.name) !== undefined) return [];
      const detail = `The run ${name} block has not yet been evaluated, so its results are not available here.`;
      return [errorDiagnostic('Reference to unevaluated run block', detail, range)];
    }
    case 'check':
      return [
        errorDiagnostic(
          'Reference to "check" in invalid context',
          'The "check" object can only be referenced from an "expect_failures" attribute within a Terraform testing "run" block.',
          range,
        ),
      ];
    case 'output': {
      if (root.outputs.has(subject.name)) return [];
      const hint = didYouMean(subject.name, [...root.outputs.keys()].sort(compareText));
      const detail = `An output value with the name ${quoteText(subject.name)} has not been declared.${hint}`;
      return [errorDiagnostic('Reference to undeclared output value', detail, range)];
    }
    case 'variable':
      if (variables.has(subject.name)) return [];
      return referenceProblems(reference, root, schemas, {});
    default:
      return referenceProblems(reference, root, schemas, {});
  }
}
