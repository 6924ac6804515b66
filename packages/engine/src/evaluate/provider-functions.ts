import { MODULE_ROOT, ProviderConfigAddr, type ProviderSource } from '@terrane/addresses';
import {
  ArgumentError,
  Bug,
  CtyError,
  DYNAMIC,
  type FunctionSpec,
  type Parameter,
  UNKNOWN,
  unknownOf,
  type Value,
} from '@terrane/cty';
import type { Diagnostic, Range } from '@terrane/hcl';
import {
  type Awaitable,
  type CallAnswer,
  chain,
  type CheckedProvider,
  type FunctionParameter,
  type FunctionsAnswer,
  type FunctionSignature,
  memberOf,
} from '@terrane/provider';
import type { Configuration, Module, Schemas } from '../config/model.ts';
import { parseProviderFunction, type ProviderFunctionName } from '../config/provider-function.ts';
import {
  commitPass,
  evaluateOnce,
  type EvaluationPass,
  executePass,
  type PassResult,
} from '../config/evaluation-pass.ts';
import { explainUnlistedFunction } from '../config/unknown-function.ts';
import {
  type ProviderKey,
  providerBlockOf,
  resolveProviderKey,
} from '../config/resolve-provider.ts';
import type { ProviderSessions } from '../session/provider-sessions.ts';
import type { FunctionResults } from './function-results.ts';

/** Results that the passes of one evaluation have received, and those that the current pass waits for. */
interface Answers {
  /** undefined before the first result: most expressions call no provider function */
  received: Map<string, CallAnswer> | undefined;
  pending: Promise<void>[] | undefined;
}

/**
 * The provider functions, `provider::NAME::FUNCTION`.
 *
 * Expressions are evaluated synchronously, but a provider may respond asynchronously. The result of its function is
 * unknown until then, and `evaluate` repeats the evaluation when the results have arrived: see `EvaluationPass`.
 */
export class ProviderFunctions {
  readonly #sessions: ProviderSessions;
  readonly #schemas: Schemas;
  readonly #results: FunctionResults;
  readonly #specs = new Map<string, FunctionSpec>();
  /** pending calls by key */
  readonly #pending = new Map<string, Promise<CallAnswer>>();
  /** results for the current pass; undefined outside of passes, where calls cannot be awaited */
  #answers: Answers | undefined;
  /** The functions of configured providers, as they listed them. */
  readonly #listed = new Map<ProviderConfigAddr, FunctionsAnswer>();
  readonly #configuration: Configuration | undefined;

  /**
   * @param configuration the provider blocks; undefined if providers are not configured, as during validation:
   * functions that the schema lacks are then unknown
   */
  constructor(
    sessions: ProviderSessions,
    schemas: Schemas,
    results: FunctionResults,
    configuration?: Configuration,
  ) {
    this.#sessions = sessions;
    this.#schemas = schemas;
    this.#results = results;
    this.#configuration = configuration;
  }

  /**
   * Evaluates in passes until all called functions have responded. Commits the last pass: its diagnostics are added to
   * `diagnostics` and its effects happen. The result is immediate if every function responds synchronously.
   */
  evaluate<T>(diagnostics: Diagnostic[], work: (pass: EvaluationPass) => T): Awaitable<T> {
    // A nested evaluation is repeated with the enclosing one.
    return this.#answers === undefined
      ? this.#evaluate(diagnostics, work, undefined)
      : evaluateOnce(diagnostics, work);
  }

  #evaluate<T>(
    diagnostics: Diagnostic[],
    work: (pass: EvaluationPass) => T,
    received: Answers['received'],
  ): Awaitable<T> {
    const answers: Answers = { received, pending: undefined };
    let result: PassResult<T>;
    this.#answers = answers;
    try {
      result = executePass(diagnostics, work);
    } finally {
      this.#answers = undefined;
    }
    const { pending } = answers;
    if (pending !== undefined) return this.#repeat(pending, diagnostics, work, answers);
    if (this.#configuration === undefined || result.diagnostics.length === 0)
      return commitPass(result, diagnostics);
    const explained = result.diagnostics.map((diagnostic) =>
      diagnostic.extra?.kind === 'unknownFunction'
        ? explainUnlistedFunction(diagnostic)
        : diagnostic,
    );
    return commitPass({ ...result, diagnostics: explained }, diagnostics);
  }

  /** Evaluates again after the pending calls have answered. */
  #repeat<T>(
    pending: readonly Promise<void>[],
    diagnostics: Diagnostic[],
    work: (pass: EvaluationPass) => T,
    answers: Answers,
  ): Promise<T> {
    return Promise.all(pending).then(() => this.#evaluate(diagnostics, work, answers.received));
  }

  /**
   * Returns the function with a name in a module, or undefined if its provider has no such function. While the
   * functions of a configured provider are being listed, the result is a placeholder whose value is unknown.
   */
  find(caller: FunctionCaller, text: string, place?: Range): FunctionSpec | undefined {
    const parsed = parseProviderFunction(text, place);
    if (parsed === undefined) return undefined;
    // Only providers that the module requires explicitly: implied ones have no functions there.
    const source = caller.module.requiredProviders.get(parsed.provider)?.source;
    if (source === undefined) return undefined;
    const target = this.#target(caller, parsed, source);
    if (target === undefined) return standIn(text);
    if ('error' in target) return failing(text, target.error);
    const key = `${target.address.text}::${parsed.name} ${text}`;
    let spec = this.#specs.get(key);
    if (spec !== undefined) return spec;
    const functions = this.#schemas.provider(source)?.functions;
    let signature = memberOf(functions, parsed.name);
    if (signature === undefined && parsed.needsConfiguration) {
      if (this.#configuration === undefined) return standIn(text);
      const listed = this.#list(target);
      if (listed === undefined) return standIn(text);
      const [problem] = listed.diagnostics ?? [];
      if (problem?.severity === 'error')
        return failing(text, [problem.summary, problem.detail].filter(Boolean).join(': '));
      signature = memberOf(listed.functions, parsed.name);
    }
    if (signature === undefined) return undefined;
    spec = this.#spec(text, { ...target, name: parsed.name, signature });
    this.#specs.set(key, spec);
    return spec;
  }

  /**
   * Resolves the provider that a function is called on: the configured one, if OpenTofu's rules apply and a block
   * configures it, otherwise the default of the root module. Undefined while the instance is unknown.
   */
  #target(
    { module, keyOf }: FunctionCaller,
    { provider, alias, needsConfiguration }: ProviderFunctionName,
    source: ProviderSource,
  ): FunctionTarget | { readonly error: string } | undefined {
    const fallback = { address: ProviderConfigAddr.of(MODULE_ROOT, source), isConfigured: false };
    if (!needsConfiguration || this.#configuration === undefined) return fallback;
    const local = { name: provider, ...(alias === undefined ? {} : { alias }) };
    const { address, key } = resolveProviderKey(module, local);
    const block = providerBlockOf(this.#configuration, address)?.block;
    if (block === undefined) return fallback;
    if (block.instances === undefined) return { address, isConfigured: true };
    const text = key === undefined ? undefined : keyOf?.(key);
    if (key !== undefined && text === undefined) return undefined;
    if (text !== undefined && block.instances.has(text))
      return { address: address.instance(text), isConfigured: true };
    return {
      error: `provider ${address.text} has several instances, and the call names none of them; pass one instance to a module in its "providers" argument, and call the function there`,
    };
  }

  /** Lists the functions of a configured provider; undefined until the provider responds. */
  #list({ address, isConfigured }: FunctionTarget): FunctionsAnswer | undefined {
    const listed = this.#listed.get(address);
    if (listed !== undefined) return listed;
    const list = (provider: CheckedProvider | undefined): Awaitable<FunctionsAnswer> =>
      provider?.configuredFunctions() ?? { functions: {} };
    const listing = chain(this.#provider(address, isConfigured), list);
    if (!(listing instanceof Promise)) {
      this.#listed.set(address, listing);
      return listing;
    }
    if (this.#answers !== undefined)
      (this.#answers.pending ??= []).push(
        listing.then((functions) => void this.#listed.set(address, functions)),
      );
    return undefined;
  }

  #provider(
    address: ProviderConfigAddr,
    isConfigured: boolean,
  ): Awaitable<CheckedProvider | undefined> {
    if (!isConfigured) return this.#sessions.started(address);
    return chain(this.#sessions.open(address), ({ provider }) => provider);
  }

  #spec(name: string, called: CalledFunction): FunctionSpec {
    const { signature } = called;
    const { variadic } = signature;
    const parameters = signature.parameters.map(parameterOf);
    return {
      name,
      description: signature.description ?? signature.summary ?? '',
      parameters,
      ...(variadic === undefined ? {} : { variadic: parameterOf(variadic) }),
      returnType: signature.returns,
      implementation: (args) => {
        // A parameter that does not accept unknown values receives none, not even inside of an argument.
        const isHeldBack = args.some((arg, i) => {
          const parameter = signature.parameters[i] ?? variadic;
          return parameter?.allowUnknown !== true && !arg.isWhollyKnown();
        });
        return isHeldBack ? unknownOf(signature.returns) : this.#call(called, args);
      },
    };
  }

  #call(called: CalledFunction, args: readonly Value[]): Value {
    const { address, isConfigured, name, signature } = called;
    // The result may depend on a configuration that is only known in part while planning, so it may change.
    const results = isConfigured ? undefined : this.#results;
    const key = this.#results.key(isConfigured ? address.text : address.provider.text, name, args);
    const answers = this.#answers;
    const receivedResult = answers?.received?.get(key);
    if (receivedResult !== undefined) return resultOf(receivedResult, results, key);
    let pending = this.#pending.get(key);
    if (pending === undefined) {
      const answer = this.#requestResult(called, args);
      if (!(answer instanceof Promise)) return resultOf(answer, results, key);
      pending = answer.finally(() => this.#pending.delete(key));
      this.#pending.set(key, pending);
    }
    if (answers === undefined)
      throw new Bug(`no evaluation awaits provider::${address.provider.type}::${name}`);
    (answers.pending ??= []).push(
      pending.then((answer) => void (answers.received ??= new Map()).set(key, answer)),
    );
    return unknownOf(signature.returns);
  }

  #requestResult(
    { address, isConfigured, name, signature }: CalledFunction,
    args: readonly Value[],
  ): Awaitable<CallAnswer> {
    return chain(this.#provider(address, isConfigured), (provider) => {
      if (provider !== undefined) return provider.callFunction({ name, args, signature });
      return { error: { message: `${address.text} is not configured, because of errors` } };
    });
  }
}

/** The caller of a function: its module and, in an instance of the module, the keys of provider instances. */
export interface FunctionCaller {
  readonly module: Module;
  /** Evaluates the key of a provider instance; undefined if it is not known. @throws CtyError if it is invalid */
  readonly keyOf?: (key: ProviderKey) => string | undefined;
}

/** The provider that a function is called on. */
interface FunctionTarget {
  readonly address: ProviderConfigAddr;
  /** True if the provider must be configured before the call. */
  readonly isConfigured: boolean;
}

interface CalledFunction extends FunctionTarget {
  readonly name: string;
  readonly signature: FunctionSignature;
}

/** Returns a placeholder for a function with unknown signature: it accepts all arguments, and its result is unknown. */
function standIn(name: string): FunctionSpec {
  return {
    name,
    description: '',
    parameters: [],
    variadic: ANYTHING,
    returnType: DYNAMIC,
    implementation: () => UNKNOWN,
  };
}

/** A function that cannot be called, for a reason. */
function failing(name: string, reason: string): FunctionSpec {
  return {
    ...standIn(name),
    implementation: () => {
      throw new CtyError(reason);
    },
  };
}

const ANYTHING: Parameter = {
  name: 'arguments',
  type: DYNAMIC,
  allowNull: true,
  allowUnknown: true,
  allowDynamic: true,
};

function parameterOf(parameter: FunctionParameter): Parameter {
  const { name, type, description, allowNull, allowUnknown } = parameter;
  return {
    name,
    type,
    // An untyped null is allowed if any type is.
    allowDynamic: type === DYNAMIC,
    ...(description === undefined ? {} : { description }),
    ...(allowNull === undefined ? {} : { allowNull }),
    ...(allowUnknown === undefined ? {} : { allowUnknown }),
  };
}

/** @throws ArgumentError or CtyError for errors of the provider, and for a result that differs from the previous one */
function resultOf(
  { error, result }: CallAnswer,
  results: FunctionResults | undefined,
  key: string,
): Value {
  if (error?.argument !== undefined) throw new ArgumentError(error.argument, error.message);
  if (error !== undefined || result === undefined)
    throw new CtyError(error?.message ?? 'provider returned no result and no errors');
  results?.check(key, result, { problem: 'provider function returned an inconsistent result' });
  return result;
}
