import { BOOL, convert, CtyError, STRING, type Value, withoutSecrets } from '@terrane/cty';
import {
  type CheckExtra,
  type Diagnostic,
  errorDiagnostic,
  evaluate,
  type Expression,
  hasErrors,
  type Range,
  type Scope,
  warningDiagnostic,
} from '@terrane/hcl';
import { evaluateMessage, REMEDY } from '../config/check/condition-message.ts';
import { takeDeprecations, type WarningScope } from '../config/deprecations.ts';
import type { EvaluationPass } from '../config/evaluation-pass.ts';
import type { CheckRule } from '../config/model.ts';
import type { CheckBook, CheckStatus } from './check-book.ts';
import { errorCount } from './expansion.ts';

/** The kinds of conditions, by Terraform's names in errors. */
export type ConditionKind = 'precondition' | 'postcondition' | 'outputPrecondition' | 'assertion';

const DESCRIPTIONS: Readonly<Record<ConditionKind, string>> = {
  precondition: 'Resource precondition',
  postcondition: 'Resource postcondition',
  outputPrecondition: 'Module output value precondition',
  assertion: 'Check block assertion',
};

const CHECKABLES: Readonly<Record<ConditionKind, CheckExtra['checkable']>> = {
  precondition: 'resource',
  postcondition: 'resource',
  outputPrecondition: 'output_value',
  assertion: 'check',
};

/** The object whose conditions are evaluated, and the receiver of the results. */
export interface Checked {
  readonly configAddr: string;
  readonly address: string;
  readonly book: CheckBook;
}

/**
 * Evaluates conditions in order; a failed one is a diagnostic of the given severity. A condition whose value is unknown
 * is skipped, to be evaluated again during apply.
 */
export function evaluateConditions(
  kind: ConditionKind,
  rules: readonly CheckRule[],
  checked: Checked,
  scope: WarningScope,
  severity: Diagnostic['severity'],
  pass: EvaluationPass,
): void {
  const { configAddr, address, book } = checked;
  for (const [index, rule] of rules.entries()) {
    const { status, message } = evaluateCondition(
      kind,
      rule,
      checked,
      scope,
      severity,
      pass.diagnostics,
    );
    pass.commit(() => book.report(configAddr, address, `${kind}.${index}`, status, message));
  }
}

interface ConditionResult {
  readonly status: CheckStatus;
  readonly message?: string;
}

function evaluateCondition(
  kind: ConditionKind,
  rule: CheckRule,
  { address: object }: Checked,
  scope: WarningScope,
  severity: Diagnostic['severity'],
  diagnostics: Diagnostic[],
): ConditionResult {
  const before = errorCount(diagnostics);
  const message = evaluateMessage(rule.errorMessage, scope, diagnostics);
  const evaluated = evaluate(rule.condition, scope, diagnostics);
  if (errorCount(diagnostics) > before) return { status: 'error' };
  const { range } = rule.condition;
  const value = takeDeprecations(evaluated, range, scope.warnsFor, diagnostics);
  const at = { expression: rule.condition, scope };
  const extra: CheckExtra = { kind: 'check', checkable: CHECKABLES[kind], object };
  if (!value.isKnown) {
    if (kind === 'assertion') {
      diagnostics.push(
        warningDiagnostic(
          `${DESCRIPTIONS[kind]} known after apply`,
          'The condition could not be evaluated at this time, a result will be known when this plan is applied.',
          rule.condition.range,
          { ...at, extra },
        ),
      );
    }
    return { status: 'unknown' };
  }
  const result = conditionResult(value, rule.condition, scope, diagnostics, {
    summary: 'Invalid condition result',
    subject: 'Condition expression',
    invalid: 'Invalid condition result value',
  });
  if (result === undefined) return { status: 'error' };
  if (result) return { status: 'pass' };
  const make = severity === 'error' ? errorDiagnostic : warningDiagnostic;
  diagnostics.push(
    make(
      `${DESCRIPTIONS[kind]} failed`,
      message ||
        'This check failed, but has an invalid error message as described in the other accompanying messages.',
      rule.condition.range,
      { ...at, extra },
    ),
  );
  return { status: 'fail', message };
}

interface Wording {
  readonly summary: string;
  readonly subject: string;
  readonly invalid: string;
}

/** The truth of a known condition value; undefined after an error. */
function conditionResult(
  value: Value,
  condition: Expression,
  scope: Scope,
  diagnostics: Diagnostic[],
  wording: Wording,
): boolean | undefined {
  const at = { expression: condition, scope };
  if (value.isNull) {
    const detail = `${wording.subject} must return either true or false, not null.`;
    diagnostics.push(errorDiagnostic(wording.summary, detail, condition.range, at));
    return undefined;
  }
  try {
    return convert(value, BOOL).unmark().asBool();
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    diagnostics.push(
      errorDiagnostic(
        wording.summary,
        `${wording.invalid}: ${error.message}.`,
        condition.range,
        at,
      ),
    );
    return undefined;
  }
}

/**
 * The variable as error messages of validation rules see it: without its sensitive mark. Its value is redacted in the
 * messages afterwards.
 */
export interface MessageVariable {
  readonly scope: Scope;
  /** the variable as it is marked */
  readonly value: Value;
}

/**
 * Evaluates the validation rules of an input variable; `at` is the source range of failures. Error messages are
 * evaluated in the scope of `messageVariable`, if present.
 */
export function evaluateValidations(
  rules: readonly CheckRule[],
  checked: Checked,
  scope: Scope,
  at: Range,
  validating: boolean,
  pass: EvaluationPass,
  messageVariable?: MessageVariable,
): void {
  const { configAddr, address, book } = checked;
  for (const [index, rule] of rules.entries()) {
    const { status, message } = evaluateValidation(
      rule,
      checked,
      scope,
      at,
      validating,
      pass.diagnostics,
      messageVariable,
    );
    pass.commit(() => book.report(configAddr, address, `validation.${index}`, status, message));
  }
}

function evaluateValidation(
  rule: CheckRule,
  { address: object }: Checked,
  scope: Scope,
  at: Range,
  validating: boolean,
  diagnostics: Diagnostic[],
  messageVariable: MessageVariable | undefined,
): ConditionResult {
  const value = evaluate(rule.condition, scope, diagnostics);
  const messageProblems: Diagnostic[] = [];
  let message = evaluate(rule.errorMessage, messageVariable?.scope ?? scope, messageProblems);
  const literal = hasErrors(messageProblems) ? literalMessage(rule.errorMessage) : undefined;
  if (literal === undefined) diagnostics.push(...messageProblems);
  else {
    diagnostics.push(literalMessageWarning(rule, messageProblems, scope));
    messageProblems.length = 0;
    message = literal;
  }
  if (!value.isKnown) return { status: 'unknown' };
  const result = conditionResult(value, rule.condition, scope, diagnostics, {
    summary: 'Invalid variable validation result',
    subject: 'Validation condition expression',
    invalid: 'Invalid validation condition result value',
  });
  if (result === undefined) return { status: 'error' };
  if (result) return { status: 'pass' };
  const inMessage = { expression: rule.errorMessage, scope };
  if (!message.isKnown) {
    if (validating) return { status: 'unknown' };
    diagnostics.push(
      errorDiagnostic(
        'Invalid error message',
        "Unsuitable value for error message: expression refers to values that won't be known until the apply phase.",
        rule.errorMessage.range,
        { ...inMessage, extra: { kind: 'unknown' } },
      ),
    );
    return { status: 'error' };
  }
  const full = validationMessage(message, rule.errorMessage, scope, diagnostics);
  // A message that is independent of the value does not disclose it.
  const tells =
    messageVariable !== undefined && evaluate(rule.errorMessage, scope, []).hasMark('sensitive');
  const text = tells ? withoutSecrets(full, [messageVariable.value]) : full;
  diagnostics.push(
    errorDiagnostic(
      'Invalid value for variable',
      `${text}\n\nThis was checked by the validation rule at ${rangeText(rule.range)}.`,
      at,
      {
        expression: rule.condition,
        scope,
        extra: { kind: 'check', checkable: 'input_variable', object },
      },
    ),
  );
  return { status: 'fail', message: text };
}

/**
 * Evaluates a message in JSON. Terraform formerly treated them as plain text, so one that is not a valid template must
 * still work.
 */
function literalMessage(expression: Expression): Value | undefined {
  const problems: Diagnostic[] = [];
  const value = evaluate(expression, undefined, problems);
  return hasErrors(problems) || value.isNull || value.type !== STRING ? undefined : value;
}

function literalMessageWarning(
  rule: CheckRule,
  problems: readonly Diagnostic[],
  scope: Scope,
): Diagnostic {
  const [first, ...others] = problems;
  const location = first?.subject === undefined ? '<nil>' : rangeText(first.subject);
  const more = others.length === 0 ? '' : `, and ${others.length} other diagnostic(s)`;
  const reason = `${location}: ${first?.summary ?? ''}; ${first?.detail ?? ''}${more}`;
  const warning = warningDiagnostic(
    'Validation error message expression is invalid',
    `The error message provided could not be evaluated as an expression, so Terraform is interpreting it as a string literal.\n\nIn future versions of Terraform, this will be considered an error. Please file a GitHub issue if this would break your workflow.\n\n${reason}`,
    rule.errorMessage.range,
    { expression: rule.errorMessage, scope },
  );
  return { ...warning, context: rule.range };
}

function validationMessage(
  message: Value,
  expression: Expression,
  scope: Scope,
  diagnostics: Diagnostic[],
): string {
  const failed = 'Failed to evaluate condition error message.';
  if (!message.isKnown || message.isNull) return failed;
  const at = { expression, scope };
  let text: Value;
  try {
    text = convert(message, STRING);
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    const detail = `Unsuitable value for error message: ${error.message}.`;
    diagnostics.push(errorDiagnostic('Invalid error message', detail, expression.range, at));
    return failed;
  }
  for (const mark of ['sensitive', 'ephemeral'] as const) {
    if (!text.hasMark(mark)) continue;
    const remedy =
      mark === 'sensitive'
        ? REMEDY.sensitive
        : 'You can correct this by removing references to ephemeral values, or by carefully using the ephemeralasnull() function if the expression will not reveal the ephemeral data.';
    diagnostics.push(
      errorDiagnostic(
        `Error message refers to ${mark} values`,
        `The error expression used to explain this condition refers to ${mark} values. Terraform will not display the resulting message.\n\n${remedy}`,
        expression.range,
        at,
      ),
    );
    return 'The error message included a sensitive value, so it will not be displayed.';
  }
  return text.unmark().asString().trim() || failed;
}

/** A range as Terraform writes it in a sentence: `main.tf:3,3-13`. */
function rangeText(range: Range): string {
  const { from, to } = range;
  const end = from.line === to.line ? `${to.column}` : `${to.line},${to.column}`;
  return `${range.filename}:${from.line},${from.column}-${end}`;
}
