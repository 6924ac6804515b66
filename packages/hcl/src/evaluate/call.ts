import {
  ArgumentError,
  callFunction,
  convert,
  CtyError,
  DYNAMIC,
  type FunctionSpec,
  type Parameter,
  quoteText,
  UNKNOWN,
  type Value,
  withoutSecrets,
} from '@terrane/cty';
import { hasErrors } from '../diagnostic/diagnostic.ts';
import { startRange } from '../expression/start-range.ts';
import type { Diagnostic, DiagnosticExtra, Expression, FunctionCallExpr, Scope } from '../model.ts';
import { closestName } from '../source/suggestion.ts';
import { rangeBetween } from '../source/source.ts';
import { argumentDecoder } from './decoded-argument.ts';
import { countEffort, sizeOfArgument } from './effort.ts';
import { closureValue, EXPRESSION_CLOSURE, ExpressionClosure } from './expression-closure.ts';
import { type Evaluate, faultMessage, reportFault } from './fault.ts';
import { hasFunctions, isInnerScope } from './scope.ts';
import { evaluateCan, evaluateTry } from './try.ts';

/** A function call. Unknown, null and marked arguments are the function protocol's business. */
export function evaluateCall(
  e: FunctionCallExpr,
  scope: Scope | undefined,
  diagnostics: Diagnostic[],
  evaluate: Evaluate,
): Value {
  const spec = scope?.functionNamed(e.name, e.range);
  if (scope === undefined || spec === undefined) {
    reportUnknownFunction(e, scope, diagnostics);
    return UNKNOWN;
  }
  return new Call(e, spec, scope, diagnostics, evaluate).run();
}

class Call {
  readonly #e: FunctionCallExpr;
  readonly #spec: FunctionSpec;
  readonly #scope: Scope;
  readonly #diagnostics: Diagnostic[];
  readonly #evaluate: Evaluate;
  readonly #start: number;

  constructor(
    e: FunctionCallExpr,
    spec: FunctionSpec,
    scope: Scope,
    diagnostics: Diagnostic[],
    evaluate: Evaluate,
  ) {
    this.#e = e;
    this.#spec = spec;
    this.#scope = scope;
    this.#diagnostics = diagnostics;
    this.#evaluate = evaluate;
    this.#start = diagnostics.length;
  }

  run(): Value {
    const args = this.#e.expandFinal ? this.#expandedArguments() : this.#e.args;
    if (args === undefined || !this.#checkCount(args)) {
      return UNKNOWN;
    }
    const name = this.#spec.name;
    if (name === 'try' || name === 'can') {
      return this.#runLazily(name, args);
    }
    const values = new Array<Value>(args.length);
    for (let i = 0; i < args.length; i++) {
      const parameter = this.#parameterAt(i);
      values[i] =
        parameter === undefined ? UNKNOWN : this.#argument(args[i] as Expression, parameter);
    }
    if (this.#failed()) {
      return UNKNOWN;
    }
    const [first] = values;
    countEffort(first === undefined ? 1 : sizeOfArgument(first));
    try {
      return callFunction(this.#spec, values);
    } catch (error) {
      this.#reportCallError(error, args, values);
      return UNKNOWN;
    }
  }

  #runLazily(name: 'try' | 'can', args: readonly Expression[]): Value {
    try {
      return name === 'try'
        ? evaluateTry(args, this.#scope, this.#evaluate)
        : evaluateCan(args[0], this.#scope, this.#evaluate);
    } catch (error) {
      this.#reportCallError(error, args, []);
      return UNKNOWN;
    }
  }

  #failed(): boolean {
    return this.#diagnostics.length > this.#start && hasErrors(this.#diagnostics, this.#start);
  }

  #parameterAt(i: number): Parameter | undefined {
    return this.#spec.parameters[i] ?? this.#spec.variadic;
  }

  get #extra(): DiagnosticExtra {
    return { kind: 'functionCall', name: this.#e.name, spec: this.#spec };
  }

  /**
   * Returns the arguments with the last one replaced by its elements; undefined if its value is unknown or cannot be
   * expanded.
   */
  #expandedArguments(): readonly Expression[] | undefined {
    const e = this.#e;
    const last = e.args.at(-1);
    if (last === undefined) {
      return e.args;
    }
    const value = this.#evaluate(last, this.#scope, this.#diagnostics);
    if (this.#failed()) {
      return undefined;
    }
    const { kind } = value.type;
    const isSequence = kind === 'tuple' || kind === 'list' || kind === 'set';
    if (!isSequence && value.type !== DYNAMIC) {
      this.#reportExpansion(last, 'must be of a tuple, list, or set type');
      return undefined;
    }
    if (value.isNull) {
      this.#reportExpansion(last, 'must not be null');
      return undefined;
    }
    if (!value.isKnown) {
      return undefined;
    }
    const { marks } = value;
    const { range } = last;
    const args = e.args.slice(0, -1);
    for (const element of value.unmark().elements()) {
      args.push({ kind: 'literal', range, value: element.withMarks(marks) });
    }
    return args;
  }

  #reportExpansion(expression: Expression, problem: string): void {
    const detail = `The expanding argument (indicated by ...) ${problem}.`;
    reportFault(this.#diagnostics, 'Invalid expanding argument value', detail, {
      subject: expression.range,
      context: this.#e.range,
      expression,
      scope: this.#scope,
      extra: this.#extra,
    });
  }

  #checkCount(args: readonly Expression[]): boolean {
    const e = this.#e;
    const spec = this.#spec;
    const expectedCount = spec.parameters.length;
    const missing = spec.parameters[args.length];
    if (missing !== undefined) {
      this.#diagnostics.length = this.#start;
      const atLeast = spec.variadic === undefined ? '' : ' at least';
      const detail = `Function ${quoteText(e.name)} expects${atLeast} ${expectedCount} argument(s). Missing value for ${quoteText(missing.name)}.`;
      reportFault(this.#diagnostics, 'Not enough function arguments', detail, {
        subject: e.closeRange,
        context: e.range,
        expression: e,
        scope: this.#scope,
        extra: this.#extra,
      });
      return false;
    }
    const surplus = spec.variadic === undefined ? args[expectedCount] : undefined;
    if (surplus !== undefined) {
      this.#diagnostics.length = this.#start;
      const detail = `Function ${quoteText(e.name)} expects only ${expectedCount} argument(s).`;
      reportFault(this.#diagnostics, 'Too many function arguments', detail, {
        subject: startRange(surplus),
        context: e.range,
        expression: e,
        scope: this.#scope,
        extra: this.#extra,
      });
      return false;
    }
    return true;
  }

  #argument(arg: Expression, parameter: Parameter): Value {
    const { type } = parameter;
    if (type === EXPRESSION_CLOSURE) {
      return closureValue(new ExpressionClosure(arg, this.#scope, this.#evaluate));
    }
    const decode = argumentDecoder(type);
    if (decode !== undefined) {
      return decode(arg, this.#diagnostics);
    }
    const value = this.#evaluate(arg, this.#scope, this.#diagnostics);
    if (value.type === type || type === DYNAMIC) {
      return value;
    }
    try {
      return convert(value, type);
    } catch (error) {
      this.#reportArgument(arg, parameter, faultMessage(error));
      return value;
    }
  }

  #reportArgument(arg: Expression, parameter: Parameter, message: string): void {
    const detail = `Invalid value for ${quoteText(parameter.name)} parameter: ${message}.`;
    reportFault(this.#diagnostics, 'Invalid function argument', detail, {
      subject: startRange(arg),
      context: this.#e.range,
      expression: arg,
      scope: this.#scope,
      extra: this.#extra,
    });
  }

  #reportCallError(error: unknown, args: readonly Expression[], values: readonly Value[]): void {
    const e = this.#e;
    if (!(error instanceof ArgumentError) && !(error instanceof CtyError)) throw error;
    // Functions that do not handle marks may disclose their arguments.
    const message = withoutSecrets(error.message, values);
    if (error instanceof ArgumentError) {
      const parameter = this.#parameterAt(error.index);
      const arg = args[error.index];
      if (parameter !== undefined && arg !== undefined) {
        this.#reportArgument(arg, parameter, message);
        return;
      }
      if (parameter !== undefined) {
        const detail = `Invalid value for ${quoteText(parameter.name)} parameter: ${message}.`;
        const origin = { subject: e.range, expression: e, scope: this.#scope, extra: this.#extra };
        reportFault(this.#diagnostics, 'Invalid function argument', detail, origin);
        return;
      }
    }
    const detail = `Call to function ${quoteText(e.name)} failed: ${message}.`;
    reportFault(this.#diagnostics, 'Error in function call', detail, {
      subject: rangeBetween(e.nameRange, e.openRange),
      context: e.range,
      expression: e,
      scope: this.#scope,
      extra: this.#extra,
    });
  }
}

function reportUnknownFunction(
  e: FunctionCallExpr,
  scope: Scope | undefined,
  diagnostics: Diagnostic[],
): void {
  if (scope === undefined || !hasFunctions(scope)) {
    const origin = { subject: e.range, expression: e, scope };
    reportFault(
      diagnostics,
      'Function calls not allowed',
      'Functions may not be called here.',
      origin,
    );
    return;
  }
  // Inside loops HCL does not look outward for names to suggest.
  const names = isInnerScope(scope) ? [] : [...scope.functionNames()];
  const separator = e.name.lastIndexOf('::');
  const namespace = separator < 0 ? '' : e.name.slice(0, separator + 2);
  const name = e.name.slice(namespace.length);
  const detail =
    namespace === ''
      ? unknownNameDetail(name, names)
      : unknownInNamespaceDetail(name, namespace, names);
  reportFault(diagnostics, 'Call to unknown function', detail, {
    subject: e.nameRange,
    context: e.range,
    expression: e,
    scope,
    extra: { kind: 'unknownFunction', name, namespace },
  });
}

function unknownNameDetail(name: string, names: readonly string[]): string {
  const suggestion = closestName(name, names);
  const hint = suggestion === undefined ? '' : ` Did you mean ${quoteText(suggestion)}?`;
  return `There is no function named ${quoteText(name)}.${hint}`;
}

function unknownInNamespaceDetail(
  name: string,
  namespace: string,
  names: readonly string[],
): string {
  const available = names.filter((candidate) => candidate.startsWith(namespace));
  if (available.length === 0) {
    return `There are no functions in namespace ${quoteText(namespace)}.`;
  }
  // HCL compares the unqualified name with qualified names here, so this rarely finds a match.
  const suggestion = closestName(name, available);
  const hint = suggestion === undefined ? '' : ` Did you mean ${namespace}${suggestion}?`;
  return `There is no function named ${quoteText(name)} in namespace ${namespace}.${hint}`;
}
