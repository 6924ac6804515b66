import { MODULE_ROOT, ProviderConfigAddr, type ProviderSource } from '@terrane/addresses';
import {
  ArgumentError,
  Bug,
  CtyError,
  DYNAMIC,
  type FunctionSpec,
  type Parameter,
  unknownOf,
  type Value,
} from '@terrane/cty';
import type { Diagnostic } from '@terrane/hcl';
import {
  type Awaitable,
  type CallAnswer,
  type CheckedProvider,
  type FunctionParameter,
  type FunctionSignature,
} from '@terrane/provider';
import type { Module, Schemas } from '../config/model.ts';
import type { ProviderSessions } from '../session/provider-sessions.ts';
import type { FunctionResults } from './function-results.ts';

/**
 * The functions that providers bring along, `provider::NAME::FUNCTION`.
 *
 * Expressions are evaluated synchronously, and a provider may answer later: its function is unknown then, and
 * `settle` evaluates again once there are answers.
 */
export class ProviderFunctions {
  readonly #sessions: ProviderSessions;
  readonly #schemas: Schemas;
  readonly #results: FunctionResults;
  readonly #specs = new Map<string, FunctionSpec>();
  /** calls under way, by what they are known by */
  readonly #pending = new Map<string, Promise<CallAnswer>>();
  /** what was answered for the evaluation of this moment; undefined: nobody would wait for an answer */
  #answers: Map<string, CallAnswer> | undefined;
  /** calls that it cannot do without */
  #awaited: Promise<void>[] = [];

  constructor(sessions: ProviderSessions, schemas: Schemas, results: FunctionResults) {
    this.#sessions = sessions;
    this.#schemas = schemas;
    this.#results = results;
  }

  /** Whether what is being evaluated will be evaluated again: nothing is to be made of its values. */
  get isWaiting(): boolean {
    return this.#awaited.length > 0;
  }

  /**
   * Evaluates, and again after the functions that it calls have given their results, until nothing in it waits.
   * What it says before the last time is taken back, and all else that it does must be as good done twice.
   * Where every function answers at once the result is there at once.
   */
  settle<T>(diagnostics: Diagnostic[], evaluate: () => T): Awaitable<T> {
    // Whoever evaluates around this comes back to it.
    return this.#answers === undefined
      ? this.#settle(diagnostics, evaluate, new Map())
      : evaluate();
  }

  #settle<T>(
    diagnostics: Diagnostic[],
    evaluate: () => T,
    answers: Map<string, CallAnswer>,
  ): Awaitable<T> {
    const before = diagnostics.length;
    let value: T;
    this.#answers = answers;
    try {
      value = evaluate();
    } finally {
      this.#answers = undefined;
    }
    if (this.#awaited.length === 0) return value;
    const awaited = this.#awaited;
    this.#awaited = [];
    diagnostics.length = before;
    return Promise.all(awaited).then(() => this.#settle(diagnostics, evaluate, answers));
  }

  /** The function of a name as a module knows it, or undefined where its provider has none. */
  find(module: Module, name: string): FunctionSpec | undefined {
    const [space, local, called] = name.split('::');
    if (space !== 'provider' || local === undefined || called === undefined) return undefined;
    // Only providers that the module names itself: implied ones have no functions there.
    const source = module.requiredProviders.get(local)?.source;
    if (source === undefined) return undefined;
    const key = `${source.text}::${called}`;
    let spec = this.#specs.get(key);
    if (spec !== undefined) return spec;
    const functions = this.#schemas.provider(source)?.functions;
    const signature =
      functions !== undefined && Object.hasOwn(functions, called) ? functions[called] : undefined;
    if (signature === undefined) return undefined;
    spec = this.#spec(name, source, called, signature);
    this.#specs.set(key, spec);
    return spec;
  }

  #spec(
    name: string,
    source: ProviderSource,
    called: string,
    signature: FunctionSignature,
  ): FunctionSpec {
    const { variadic } = signature;
    const parameters = signature.parameters.map(parameterOf);
    return {
      name,
      description: signature.description ?? signature.summary ?? '',
      parameters,
      ...(variadic === undefined ? {} : { variadic: parameterOf(variadic) }),
      returnType: signature.returns,
      implementation: (args) => {
        // A provider that did not ask for it gets nothing unknown, not even inside of an argument.
        const isHeldBack = args.some((arg, i) => {
          const parameter = signature.parameters[i] ?? variadic;
          return parameter?.allowUnknown !== true && !arg.isWhollyKnown();
        });
        return isHeldBack
          ? unknownOf(signature.returns)
          : this.#call(source, called, signature, args);
      },
    };
  }

  #call(
    source: ProviderSource,
    name: string,
    { returns }: FunctionSignature,
    args: readonly Value[],
  ): Value {
    const results = this.#results;
    const key = results.key(source, name, args);
    const answers = this.#answers;
    const answered = answers?.get(key);
    if (answered !== undefined) return resultOf(answered, results, key);
    let pending = this.#pending.get(key);
    if (pending === undefined) {
      const answer = this.#ask(source, name, args);
      if (!(answer instanceof Promise)) return resultOf(answer, results, key);
      pending = answer.finally(() => this.#pending.delete(key));
      this.#pending.set(key, pending);
    }
    if (answers === undefined) throw new Bug(`nobody waits for provider::${source.type}::${name}`);
    this.#awaited.push(pending.then((given) => void answers.set(key, given)));
    return unknownOf(returns);
  }

  #ask(source: ProviderSource, name: string, args: readonly Value[]): Awaitable<CallAnswer> {
    const call = (provider: CheckedProvider): Awaitable<CallAnswer> =>
      provider.callFunction({ name, args });
    const started = this.#sessions.started(ProviderConfigAddr.of(MODULE_ROOT, source));
    return started instanceof Promise ? started.then(call) : call(started);
  }
}

function parameterOf(parameter: FunctionParameter): Parameter {
  const { name, type, description, allowNull, allowUnknown } = parameter;
  return {
    name,
    type,
    // A null without a type may be given where any type may.
    allowDynamic: type === DYNAMIC,
    ...(description === undefined ? {} : { description }),
    ...(allowNull === undefined ? {} : { allowNull }),
    ...(allowUnknown === undefined ? {} : { allowUnknown }),
  };
}

/** @throws ArgumentError or CtyError for what the provider objects to, and a result that is not the one before */
function resultOf({ error, result }: CallAnswer, results: FunctionResults, key: string): Value {
  if (error?.argument !== undefined) throw new ArgumentError(error.argument, error.message);
  if (error !== undefined || result === undefined)
    throw new CtyError(error?.message ?? 'provider returned no result and no errors');
  results.check(key, result, { problem: 'provider function returned an inconsistent result' });
  return result;
}
