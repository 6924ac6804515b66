import { CtyError, DYNAMIC, type FunctionSpec, type Value } from '@terrane/cty';
import { evaluate } from '../evaluate/evaluate.ts';
import { constantScope } from '../evaluate/scope.ts';
import type { Diagnostic, Expression, Scope } from '../model.ts';
import { Source } from '../source/source.ts';
import { parseExpression } from '../syntax/parse.ts';
import { throwErrors } from './hcl-error.ts';
import type { ParseOptions } from './parse-hcl.ts';
import { plainFromValue, type PlainInput, type PlainValue, valueFromPlain } from './plain-value.ts';

/** A function for expressions, over plain values. Exceptions are reported at the call. */
export type PlainFunction = (...args: PlainValue[]) => PlainInput;

/** The variables and functions that expressions can use. */
export interface Environment {
  readonly variables?: Readonly<Record<string, PlainInput>>;
  /** functions by name; namespaced ones contain "::" */
  readonly functions?: Readonly<Record<string, PlainFunction | FunctionSpec>>;
}

/**
 * Evaluates an expression, as source or parsed, to plain JavaScript. Throws an `HclError` if it cannot be parsed or
 * evaluated; the error contains the values of its references.
 */
export function evaluateHcl(
  expression: string | Expression,
  environment: Environment & ParseOptions = {},
): PlainValue {
  const tree = typeof expression === 'string' ? parseOrThrow(expression, environment) : expression;
  const diagnostics: Diagnostic[] = [];
  const value = evaluate(tree, scopeOf(environment), diagnostics);
  throwErrors(diagnostics);
  return plainFromValue(value);
}

function parseOrThrow(text: string, { filename = '' }: ParseOptions): Expression {
  const { expression, diagnostics } = parseExpression(new Source(filename, text));
  throwErrors(diagnostics);
  if (expression === undefined) throw new CtyError('the expression is empty');
  return expression;
}

/** Returns the scope of an environment, for `evaluate`, `decodeBody` and similar functions. */
export function scopeOf({ variables = {}, functions = {} }: Environment): Scope {
  const values: Record<string, Value> = {};
  for (const [name, input] of Object.entries(variables)) values[name] = valueFromPlain(input);
  const specs = new Map<string, FunctionSpec>();
  for (const [name, definition] of Object.entries(functions)) {
    specs.set(name, typeof definition === 'function' ? functionOf(name, definition) : definition);
  }
  return constantScope(values, specs);
}

/** Wraps a function over plain values as an HCL function that takes any number of arguments, null included. */
function functionOf(name: string, plain: PlainFunction): FunctionSpec {
  return {
    name,
    description: '',
    parameters: [],
    variadic: { name: 'arguments', type: DYNAMIC, allowNull: true },
    returnType: DYNAMIC,
    implementation: (args) => {
      try {
        return valueFromPlain(plain(...args.map(plainFromValue)));
      } catch (error) {
        // any-error: the function belongs to the program that embeds this library.
        throw new CtyError(error instanceof Error ? error.message : String(error));
      }
    },
  };
}
