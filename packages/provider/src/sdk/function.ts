import { Value } from '@terrane/cty';
import type { Awaitable } from '../contract.ts';
import type { FunctionParameter, FunctionSignature } from '../schema/model.ts';
import { isPromise } from '../awaitable.ts';
import type { CallAnswer } from '../contract.ts';
import { readWith, writeWith } from './codec.ts';
import { pathText } from './diagnostics.ts';
import { ConversionError, ProviderError } from './provider-error.ts';
import type { ElementType } from './schema-types.ts';
import type { Unknown } from './unknown.ts';

declare const argument: unique symbol;

/** A parameter of a function with options. `T`: the type of the argument. */
export interface ParameterOf<T> {
  readonly kind: 'parameter';
  readonly of: ElementType;
  readonly options: ParameterOptions;
  readonly [argument]?: T;
}

/** Options of a parameter besides its type. */
export interface ParameterOptions {
  /** true to call the function with null; otherwise null is rejected before */
  readonly allowNull?: boolean;
  /** the function is called with unknown values too; otherwise its result is then unknown */
  readonly allowUnknown?: boolean;
  readonly description?: string;
}

/** Declares a parameter with options: `parameter(string, { allowNull: true })`. */
export function parameter<K, O, const P extends ParameterOptions>(
  of: ElementType<K, O>,
  options: P,
): ParameterOf<
  | (P extends { readonly allowUnknown: true } ? O | Unknown : K)
  | (P extends { readonly allowNull: true } ? null : never)
> {
  return { kind: 'parameter', of, options };
}

/** Parameters in their order, by name: types, or `parameter(…)`. */
export type Parameters = Readonly<Record<string, ElementType | ParameterOf<unknown>>>;

type Given = ElementType | ParameterOf<unknown>;

type ArgumentOf<T> =
  T extends ParameterOf<infer A> ? A : T extends ElementType<infer K> ? K : never;

/** Arguments of a function by name; those of the variadic parameter as an array. */
export type ArgumentsOf<P, V> = { readonly [N in keyof P]: ArgumentOf<P[N]> } & {
  readonly [N in keyof V]: readonly ArgumentOf<V[N]>[];
};

/** Context of a function call besides its arguments. */
export interface CallContext<P, V> {
  /** ends the call with an error about an argument; of variadic ones, the one at `index` */
  readonly fail: (
    message: string,
    argument?: Extract<keyof P, string> | Extract<keyof V, string>,
    index?: number,
  ) => never;
}

/** A function. It must be pure and cannot use a client. */
export interface FunctionOptions<P extends Parameters, V extends Parameters, K, O> {
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: P;
  /** an optional last parameter for any number of arguments */
  readonly variadic?: V;
  readonly returns: ElementType<K, O>;
  /** the result may also be a `Value` of the type */
  readonly call: (
    args: ArgumentsOf<P, V>,
    context: CallContext<P, V>,
  ) => Awaitable<NoInfer<K> | NoInfer<O> | Unknown | Value>;
}

/** A function of a provider. */
export interface ProviderFunction {
  readonly kind: 'function';
  readonly signature: FunctionSignature;
  readonly call: (args: readonly Value[]) => Awaitable<CallAnswer>;
}

/**
 * Defines a function.
 *
 * ```ts
 * const join = providerFunction({
 *   parameters: { separator: string },
 *   variadic: { parts: string },
 *   returns: string,
 *   call: ({ separator, parts }) => parts.join(separator),
 * });
 * ```
 */
export function providerFunction<
  K,
  O,
  const P extends Parameters = {},
  const V extends Parameters = {},
>(options: FunctionOptions<P, V, K, O>): ProviderFunction {
  const { returns, summary, description } = options;
  const fixed = Object.entries<Given>(options.parameters ?? {}).map(namedParameter);
  const [rest] = Object.entries<Given>(options.variadic ?? {}).map(namedParameter);
  const signature: FunctionSignature = {
    ...(summary !== undefined && { summary }),
    ...(description !== undefined && { description }),
    parameters: fixed.map((p) => p.schema),
    ...(rest !== undefined && { variadic: rest.schema }),
    returns: returns.type,
  };
  const parameterNames = [...fixed, ...(rest === undefined ? [] : [rest])].map(
    (p) => p.schema.name,
  );
  const context: CallContext<P, V> = {
    fail: (message, name, index = 0) => {
      throw new ArgumentFailure(
        message,
        name === undefined ? undefined : parameterNames.indexOf(name) + index,
      );
    },
  };
  const result = (x: unknown): CallAnswer => ({
    result: x instanceof Value ? x : writeWith(returns.codec, x),
  });
  const call = (values: readonly Value[]): Awaitable<CallAnswer> => {
    try {
      const args: Record<string, unknown> = {};
      for (const [i, p] of fixed.entries()) args[p.schema.name] = readArgument(p, values[i], i);
      if (rest !== undefined) {
        const from = fixed.length;
        args[rest.schema.name] = values.slice(from).map((v, i) => readArgument(rest, v, from + i));
      }
      // The arguments have been read by the codecs of the parameters.
      const answer = options.call(args as ArgumentsOf<P, V>, context);
      return isPromise(answer) ? answer.then(result).catch(refusal) : result(answer);
    } catch (problem) {
      return refusal(problem);
    }
  };
  return { kind: 'function', signature, call };
}

interface Named {
  readonly schema: FunctionParameter;
  readonly of: ElementType;
}

function namedParameter([name, parameter]: readonly [string, Given]): Named {
  const { of, options } =
    'kind' in parameter
      ? parameter
      : { of: parameter, options: { allowNull: parameter.codec.nullable } };
  const { allowNull, allowUnknown, description } = options;
  const schema: FunctionParameter = {
    name,
    type: of.type,
    ...(allowNull === true && { allowNull: true }),
    ...(allowUnknown === true && { allowUnknown: true }),
    ...(description !== undefined && { description }),
  };
  return { schema, of };
}

function readArgument({ of, schema }: Named, v: Value | undefined, index: number): unknown {
  if (v === undefined) throw new ArgumentFailure(`argument ${schema.name} is missing`, undefined);
  try {
    return readWith(of.codec, v);
  } catch (problem) {
    if (!(problem instanceof ConversionError)) throw problem;
    throw new ArgumentFailure(problem.message, index);
  }
}

class ArgumentFailure extends Error {
  readonly argument: number | undefined;

  constructor(message: string, index: number | undefined) {
    super(message);
    this.argument = index;
  }
}

function refusal(problem: unknown): CallAnswer {
  if (problem instanceof ArgumentFailure) {
    const { message, argument: index } = problem;
    return { error: { message, ...(index !== undefined && { argument: index }) } };
  }
  if (problem instanceof ProviderError) return { error: { message: problem.message } };
  if (problem instanceof ConversionError) {
    // Arguments may be sensitive, so a result may be too.
    const { steps, message } = problem;
    return { error: { message: steps.length === 0 ? message : `${pathText(steps)}: ${message}` } };
  }
  throw problem;
}
