import type { Defaults } from '@terrane/cty';
import { describe, expect, it } from 'vitest';
import {
  decodeBody,
  type Diagnostic,
  evaluate,
  expandDynamic,
  type Expression,
  hasErrors,
  jsonExpression,
  parseExpression,
  parseJsonSyntax,
  parseJsonValue,
  parseNative,
  parseTemplate,
  parseTraversal,
  parseTypeExpression,
  type Range,
  rootName,
  Source,
  variables,
  variablesInBody,
} from './index.ts';
import columns from './recorded/columns.json' with { type: 'json' };
import decoding from './recorded/decoding.json' with { type: 'json' };
import expressions from './recorded/expressions.json' with { type: 'json' };
import operators from './recorded/operators.json' with { type: 'json' };
import syntax from './recorded/syntax.json' with { type: 'json' };
import { sampleScope } from './testing/sample-scope.ts';
import { sampleSpec } from './testing/sample-spec.ts';
import { showType, showValue } from './testing/show-value.ts';

/** The result of HCL 2.23 for a source, in the sample scope and by the sample spec. */
interface Recorded {
  readonly kind: string;
  readonly source: string;
  readonly value?: string;
  readonly defaults?: string;
  readonly references?: readonly string[];
  /** summary, detail, subject, context */
  readonly diagnostics?: readonly (readonly string[])[];
}

type Outcome = Omit<Recorded, 'kind' | 'source'>;

function showRange(range: Range): string {
  const { from, to } = range;
  return `${from.line}:${from.column}:${from.byte}-${to.line}:${to.column}:${to.byte}`;
}

function showDiagnostic(d: Diagnostic): readonly string[] {
  const shown = [d.summary, d.detail, d.subject === undefined ? '' : showRange(d.subject)];
  return d.context === undefined ? shown : [...shown, showRange(d.context)];
}

function outcome(diagnostics: readonly Diagnostic[], more: Outcome = {}): Outcome {
  const shown = diagnostics.map(showDiagnostic);
  return shown.length === 0 ? more : { ...more, diagnostics: shown };
}

function parse(
  kind: string,
  source: Source,
): {
  readonly expression: Expression | undefined;
  readonly diagnostics: readonly Diagnostic[];
} {
  switch (kind) {
    case 'expression':
    case 'type':
      return parseExpression(source);
    case 'template':
      return parseTemplate(source);
    default: {
      const { node, diagnostics } = parseJsonValue(source);
      return { expression: jsonExpression(node), diagnostics };
    }
  }
}

function evaluated(kind: string, source: Source): Outcome {
  const { expression, diagnostics } = parse(kind, source);
  if (expression === undefined || hasErrors(diagnostics)) {
    return outcome(diagnostics);
  }
  const all = [...diagnostics];
  const value = showValue(evaluate(expression, sampleScope, all));
  const references = variables(expression).map((t) => `${rootName(t)} ${showRange(t.range)}`);
  return outcome(all, { value, ...(references.length === 0 ? {} : { references }) });
}

function decoded(kind: string, source: Source): Outcome {
  const { body, diagnostics } =
    kind === 'json body' ? parseJsonSyntax(source) : parseNative(source);
  if (hasErrors(diagnostics)) {
    return outcome(diagnostics);
  }
  const all = [...diagnostics];
  const references = variablesInBody(body, sampleSpec).map(
    (t) => `${rootName(t)} ${showRange(t.range)}`,
  );
  const expanded = kind === 'native body as it is' ? body : expandDynamic(body, sampleScope);
  const value = showValue(decodeBody(expanded, sampleSpec, sampleScope, all));
  return outcome(all, { value, ...(references.length === 0 ? {} : { references }) });
}

function typed(kind: string, source: Source): Outcome {
  const { expression, diagnostics } = parse(kind, source);
  if (expression === undefined || hasErrors(diagnostics)) {
    return outcome(diagnostics);
  }
  const result = parseTypeExpression(expression, { allowDefaults: true });
  const { type, defaults } = result;
  return outcome([...diagnostics, ...result.diagnostics], {
    value: showType(type),
    ...(defaults === undefined ? {} : { defaults: showDefaults(defaults) }),
  });
}

function showDefaults(defaults: Defaults): string {
  const parts = [showType(defaults.type)];
  for (const [name, value] of defaults.values ?? []) {
    parts.push(` ${name}=${showValue(value)}`);
  }
  for (const [name, child] of defaults.children ?? []) {
    parts.push(` [${name}]${showDefaults(child)}`);
  }
  return `{${parts.join('')}}`;
}

function actual(recorded: Recorded): Outcome {
  const source = new Source('f', recorded.source);
  switch (recorded.kind) {
    case 'native file':
      return outcome(parseNative(source).diagnostics);
    case 'json file':
      return outcome(parseJsonSyntax(source).diagnostics);
    case 'reference':
      return outcome(parseTraversal(source, { allowSplat: true }).diagnostics);
    case 'native body':
    case 'native body as it is':
    case 'json body':
      return decoded(recorded.kind, source);
    case 'type':
    case 'type in json':
      return typed(recorded.kind, source);
    default:
      return evaluated(recorded.kind, source);
  }
}

function check(cases: readonly Recorded[]): void {
  const kinds = new Set(cases.map((recorded) => recorded.kind));
  for (const kind of kinds) {
    it(`${kind}: values, references and diagnostics are HCL's`, () => {
      for (const recorded of cases.filter((candidate) => candidate.kind === kind)) {
        const { kind: _, source, ...expected } = recorded;
        expect({ source, ...actual(recorded) }).toEqual({ source, ...expected });
      }
    });
  }
}

describe('recorded expressions', () => check(expressions));
describe('recorded operators, of HCL 2.24', () => check(operators));
describe('recorded columns of texts with combining characters', () => check(columns));
describe('recorded syntax, mostly broken', () => check(syntax));
describe('recorded bodies and types', () => check(decoding));
