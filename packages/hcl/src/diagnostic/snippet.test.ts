import {
  BOOL,
  CtyError,
  DYNAMIC,
  EMPTY_OBJECT_VALUE,
  type FunctionSpec,
  list,
  listType,
  NULL,
  number,
  NUMBER,
  object,
  parseNumber,
  str,
  STRING,
  TRUE,
  tuple,
  UNKNOWN,
  unknownOf,
  type Value,
} from '@terrane/cty';
import { describe, expect, it } from 'vitest';
import { evaluate } from '../evaluate/evaluate.ts';
import { constantScope } from '../evaluate/scope.ts';
import { parseJsonSyntax } from '../json/json-parser.ts';
import type { Diagnostic, DiagnosticExtra } from '../model.ts';
import recorded from '../recorded/snippets.json' with { type: 'json' };
import { Source } from '../source/source.ts';
import { parseExpression, parseNative } from '../syntax/parse.ts';
import { compactValue } from './compact-value.ts';
import { errorDiagnostic, sortDiagnostics } from './diagnostic.ts';
import { diagnosticSnippet } from './snippet.ts';

function decimal(text: string): Value {
  return number(parseNumber(text) ?? 0);
}

const txt = str('line\n"q" é😀');
const listValue = tuple([str('a'), str('b')]);

function failing(name: string, parameters: readonly string[], message: string): FunctionSpec {
  return {
    name,
    description: '',
    parameters: parameters.map((parameter) => ({ name: parameter, type: DYNAMIC })),
    returnType: DYNAMIC,
    implementation: () => {
      throw new CtyError(message);
    },
  };
}

const functions: readonly FunctionSpec[] = [
  failing('element', ['list', 'index'], 'cannot use element function with an empty list'),
  {
    name: 'concat',
    description: '',
    parameters: [],
    variadic: { name: 'seqs', type: DYNAMIC },
    returnType: DYNAMIC,
    implementation: (args) => tuple(args.flatMap((arg) => [...arg.elements()])),
  },
  {
    name: 'upper',
    description: '',
    parameters: [{ name: 'str', type: STRING }],
    returnType: STRING,
    implementation: ([text]) => text!,
  },
  failing('length', ['value'], 'never called'),
  failing('cidrhost', ['prefix', 'hostnum'], 'of no matter here'),
];

const scope = constantScope(
  {
    var: object({
      list: listValue,
      obj: object({ a: number(1), b: str('x') }),
      one: object({ only: number(1) }),
      sens: str('secret').mark('sensitive'),
      num: decimal('12345678901.25'),
      empty: list(STRING, []),
    }),
    local: object({
      big: decimal('1e20'),
      nul: NULL,
      txt,
      flag: TRUE,
      tup: tuple([number(1), str('x')]),
    }),
  },
  new Map(functions.map((spec) => [spec.name, spec])),
);

function evaluateOutputs(): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  const { files } = recorded;
  for (const { body } of [
    parseNative(new Source('main.tf', files['main.tf'])),
    parseJsonSyntax(new Source('j.tf.json', files['j.tf.json'])),
  ]) {
    const outputs = body.partialContent({
      attributes: [],
      blocks: [{ type: 'output', labelNames: ['name'] }],
    });
    for (const output of outputs.content.blocks) {
      const value = output.body.justAttributes().attributes.get('value');
      evaluate(value!.expression, scope, diagnostics);
    }
  }
  return diagnostics;
}

describe('diagnosticSnippet', () => {
  it('has the facts that Terraform shows', () => {
    const shown = evaluateOutputs().map((d) => {
      const snippet = diagnosticSnippet(d)!;
      return {
        summary: d.summary,
        detail: d.detail,
        file: d.subject!.filename,
        line: d.subject!.from.line,
        context: snippet.context,
        code: snippet.code,
        startLine: snippet.startLine,
        highlight: [snippet.highlightStartByte, snippet.highlightEndByte],
        values: snippet.values.map(({ traversal, statement }) => [traversal, statement]),
        ...(snippet.functionCall === undefined ? {} : { function: snippet.functionCall.name }),
      };
    });
    for (const expected of recorded.diagnostics) {
      expect(shown).toContainEqual(expected);
    }
  });

  it('has the block around a place, but not at its very beginning', () => {
    const source = new Source('main.tf', 'x = 1\n\nresource "a" "b" {\n  c = 1\n}\n');
    const at = (text: string, length: number): string | undefined => {
      const tokens = source.text.indexOf(text);
      const { expression } = parseExpression(source, tokens);
      const range = expression!.range;
      return diagnosticSnippet(errorDiagnostic('s', 'd', range))?.context ?? `none ${length}`;
    };
    expect(at('1\n}', 1)).toBe('resource "a" "b"');
    expect(at('resource', 8)).toBe('none 8');
  });

  it('leaves empty lines out and marks at least one character', () => {
    const source = new Source('main.tf', 'a = foo(\n\n  1\n)\n');
    const { expression } = parseExpression(source, 4);
    const d = errorDiagnostic('s', 'd', expression!.range);
    expect(diagnosticSnippet(d)).toMatchObject({ code: 'a = foo(\n  1\n)', startLine: 1 });
    const empty = parseNative(source).body.missingItemRange;
    expect(diagnosticSnippet(errorDiagnostic('s', 'd', empty))).toMatchObject({
      code: 'a = foo(',
      highlightStart: 0,
      highlightEnd: 1,
    });
  });
});

describe('values that are special', () => {
  const values = object({
    s: str('x').mark('sensitive'),
    e: str('x').mark('ephemeral'),
    both: str('x').mark('sensitive').mark('ephemeral'),
    u: unknownOf(STRING),
    d: UNKNOWN,
    l: unknownOf(listType(BOOL), { minLength: 2 }),
    m: unknownOf(listType(BOOL), { maxLength: 3 }),
    r: unknownOf(listType(BOOL), { minLength: 1, maxLength: 3 }),
    p: str('x'),
  });
  const shown = (extra: DiagnosticExtra | undefined): readonly string[] => {
    const { expression } = parseExpression(
      new Source('f', '[v.s, v.e, v.both, v.u, v.d, v.l, v.m, v.r, v.p, v.p, v.none]'),
    );
    const d = errorDiagnostic('s', 'd', expression!.range, {
      expression: expression!,
      scope: constantScope({ v: values }),
      ...(extra === undefined ? {} : { extra }),
    });
    return (diagnosticSnippet(d)?.values ?? []).map((v) => `${v.traversal} ${v.statement}`);
  };
  const plain = [
    'v.l is a list of bool',
    'v.m is a list of bool',
    'v.p is "x"',
    'v.r is a list of bool',
    'v.u is a string',
  ];

  it('are described by type or not at all', () => {
    expect(shown(undefined)).toEqual(plain);
  });

  it('are named sensitive if that is the cause', () => {
    expect(shown({ kind: 'sensitive' })).toEqual(
      [...plain, 'v.s has a sensitive value'].toSorted(),
    );
  });

  it('are named ephemeral if that is the cause', () => {
    expect(shown({ kind: 'ephemeral' })).toEqual(
      [...plain, 'v.e has an ephemeral value'].toSorted(),
    );
  });

  it('are named unknown, with their refinements, if that is the cause', () => {
    expect(shown({ kind: 'unknown' })).toEqual([
      'v.d will be known only after apply',
      'v.l is a list of bool with at least 2 elements, known only after apply',
      'v.m is a list of bool with up to 3 elements, known only after apply',
      'v.p is "x"',
      'v.r is a list of bool with between 1 and 3 elements, known only after apply',
      'v.u is a string, known only after apply',
    ]);
  });
});

describe('compactValue', () => {
  const cases: readonly (readonly [Value, string])[] = [
    [NULL, 'null'],
    [TRUE, 'true'],
    [decimal('0'), '0'],
    [decimal('100'), '100'],
    [decimal('-1.5'), '-1.5'],
    [decimal('12345678901.25'), '1.23456789e+10'],
    [decimal('1234567890'), '1234567890'],
    [decimal('9999999999.9'), '1e+10'],
    [decimal('0.0001'), '0.0001'],
    [decimal('0.00001234'), '1.234e-05'],
    [decimal('1e100'), '1e+100'],
    [decimal('0.33333333333333'), '0.3333333333'],
    [str('a"b'), '"a\\"b"'],
    [tuple([]), 'empty tuple'],
    [list(NUMBER, [number(1)]), 'list of number with 1 element'],
    [tuple([TRUE, TRUE]), 'tuple with 2 elements'],
    [EMPTY_OBJECT_VALUE, 'object with no attributes'],
    [object({ a: TRUE }), 'object with 1 attribute "a"'],
    [object({ a: TRUE, b: TRUE }), 'object with 2 attributes'],
  ];

  it.each(cases)('%#: %s', (value, text) => {
    expect(compactValue(value)).toBe(text);
  });
});

describe('sortDiagnostics', () => {
  it('puts warnings first, then diagnostics without range, then by file and position', () => {
    const range = (file: string, text: string): Diagnostic['subject'] =>
      parseExpression(new Source(file, text)).expression!.range;
    const sorted = sortDiagnostics([
      errorDiagnostic('6', '', range('a/b/m.tf', 'x')),
      errorDiagnostic('5', '', range('z.tf', 'x')),
      errorDiagnostic('4', '', range('a.tf', '  x')),
      errorDiagnostic('3', '', range('a.tf', ' x')),
      errorDiagnostic('2', ''),
      { severity: 'warning', summary: '1', detail: '' },
    ]);
    expect(sorted.map((d) => d.summary)).toEqual(['1', '2', '3', '4', '5', '6']);
  });
});
