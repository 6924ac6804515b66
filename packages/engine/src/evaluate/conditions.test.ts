import { bool, NULL, number, str, UNKNOWN, unknownOf, BOOL, type Value } from '@terrane/cty';
import {
  constantScope,
  type Diagnostic,
  type Expression,
  parseExpression,
  Source,
} from '@terrane/hcl';
import { describe, expect, it } from 'vitest';
import type { CheckRule } from '../config/model.ts';
import { CheckBook } from './check-book.ts';
import { type ConditionKind, evaluateConditions, evaluateValidations } from './conditions.ts';
import { evaluateMessage } from '../config/check/condition-message.ts';

function expressionOf(text: string): Expression {
  const { expression } = parseExpression(new Source('main.tf', text));
  if (expression === undefined) throw new Error(text);
  return expression;
}

const CONDITION = expressionOf('condition');
const MESSAGE = expressionOf('message');
const RULE: CheckRule = { condition: CONDITION, errorMessage: MESSAGE, range: CONDITION.range };

interface Result {
  readonly status: string | undefined;
  readonly messages: readonly string[] | undefined;
  readonly problems: readonly string[];
}

function resultOf(book: CheckBook, diagnostics: readonly Diagnostic[]): Result {
  const [object] = book.results()[0]?.objects ?? [];
  const problems = diagnostics.map(
    (diagnostic) => `${diagnostic.severity}: ${diagnostic.summary}: ${diagnostic.detail}`,
  );
  return { status: object?.status, messages: object?.messages, problems };
}

function check(
  condition: Value,
  message: Value = str('no good'),
  kind: ConditionKind = 'precondition',
  severity: Diagnostic['severity'] = 'error',
): Result {
  const book = new CheckBook();
  book.declare('resource', 'a.b');
  const diagnostics: Diagnostic[] = [];
  const checked = { configAddr: 'a.b', address: 'a.b', book };
  evaluateConditions(kind, [RULE], checked, constantScope({ condition, message }), severity, {
    diagnostics,
    commit: (effect) => effect(),
  });
  return resultOf(book, diagnostics);
}

function validate(condition: Value, message: Value = str('no good'), validating = false): Result {
  const book = new CheckBook();
  book.declare('input_variable', 'var.v');
  const diagnostics: Diagnostic[] = [];
  const checked = { configAddr: 'var.v', address: 'var.v', book };
  evaluateValidations(
    [RULE],
    checked,
    constantScope({ condition, message }),
    RULE.range,
    validating,
    { diagnostics, commit: (effect) => effect() },
  );
  return resultOf(book, diagnostics);
}

describe('a condition', () => {
  it('that holds passes in silence, also as a text', () => {
    for (const value of [bool(true), str('true'), bool(true).mark('sensitive')]) {
      expect(check(value)).toEqual({ status: 'pass', messages: [], problems: [] });
    }
  });

  it.each<[ConditionKind, string]>([
    ['precondition', 'Resource precondition failed'],
    ['postcondition', 'Resource postcondition failed'],
    ['outputPrecondition', 'Module output value precondition failed'],
    ['assertion', 'Check block assertion failed'],
  ])('that fails says so with its message: %s', (kind, summary) => {
    expect(check(bool(false), str('  no good\n'), kind)).toEqual({
      status: 'fail',
      messages: ['no good'],
      problems: [`error: ${summary}: no good`],
    });
    expect(check(bool(false), str('no good'), kind, 'warning').problems).toEqual([
      `warning: ${summary}: no good`,
    ]);
  });

  it('with an unknown value is skipped, but an assertion reports it', () => {
    expect(check(unknownOf(BOOL))).toEqual({ status: 'unknown', messages: [], problems: [] });
    expect(check(UNKNOWN, str('m'), 'assertion')).toEqual({
      status: 'unknown',
      messages: [],
      problems: [
        'warning: Check block assertion known after apply: The condition could not be evaluated at this time, a result will be known when this plan is applied.',
      ],
    });
  });

  it.each<[string, Value, string]>([
    ['null', NULL, 'Condition expression must return either true or false, not null.'],
    ['a number', number(1), 'Invalid condition result value: bool required.'],
    ['a word', str('maybe'), 'Invalid condition result value: a bool is required.'],
  ])('that gives %s is an error', (_what, value, detail) => {
    expect(check(value)).toEqual({
      status: 'error',
      messages: [],
      problems: [`error: Invalid condition result: ${detail}`],
    });
  });

  it('with a message that cannot be shown is reported without it', () => {
    const detail =
      'This check failed, but has an invalid error message as described in the other accompanying messages.';
    for (const mark of ['sensitive', 'ephemeral'] as const) {
      const { status, problems } = check(bool(false), str('secret').mark(mark));
      expect(status).toBe('fail');
      expect(problems[0]).toMatch(new RegExp(`^warning: Error message refers to ${mark} values: `));
      expect(problems[1]).toBe(`error: Resource precondition failed: ${detail}`);
      expect(problems.join()).not.toContain('secret');
    }
    expect(check(bool(false), NULL).problems).toEqual([
      'error: Invalid error message: Unsuitable value for error message: must not be null.',
    ]);
  });
});

describe('an error message', () => {
  it.each<[string, Value, string]>([
    ['a text', str(' x '), 'x'],
    ['a number', number(3), '3'],
    ['something unknown', UNKNOWN, ''],
  ])('of %s is %s', (_what, value, text) => {
    const diagnostics: Diagnostic[] = [];
    expect(evaluateMessage(MESSAGE, constantScope({ message: value }), diagnostics)).toBe(text);
    expect(diagnostics).toEqual([]);
  });
});

describe('a validation rule', () => {
  it('that holds or is unknown reports nothing', () => {
    expect(validate(bool(true))).toEqual({ status: 'pass', messages: [], problems: [] });
    expect(validate(UNKNOWN)).toEqual({ status: 'unknown', messages: [], problems: [] });
  });

  it('that fails reports its range', () => {
    expect(validate(bool(false))).toEqual({
      status: 'fail',
      messages: ['no good'],
      problems: [
        'error: Invalid value for variable: no good\n\nThis was checked by the validation rule at main.tf:1,1-10.',
      ],
    });
  });

  it('with a message that is not known is an error, but not while validating', () => {
    expect(validate(bool(false), unknownOf(BOOL)).problems).toEqual([
      "error: Invalid error message: Unsuitable value for error message: expression refers to values that won't be known until the apply phase.",
    ]);
    expect(validate(bool(false), UNKNOWN, true)).toEqual({
      status: 'unknown',
      messages: [],
      problems: [],
    });
  });

  it('keeps a sensitive message to itself', () => {
    const { status, problems } = validate(bool(false), str('secret').mark('sensitive'));
    expect(status).toBe('fail');
    expect(problems[0]).toContain('error: Error message refers to sensitive values: ');
    expect(problems[1]).toContain(
      'The error message included a sensitive value, so it will not be displayed.',
    );
    expect(problems.join()).not.toMatch(/\bsecret\b/);
  });

  it('that is not a bool is an error', () => {
    expect(validate(NULL).problems).toEqual([
      'error: Invalid variable validation result: Validation condition expression must return either true or false, not null.',
    ]);
    expect(validate(number(1)).problems).toEqual([
      'error: Invalid variable validation result: Invalid validation condition result value: bool required.',
    ]);
  });
});
