import {
  ArgumentError,
  CtyError,
  type FunctionSpec,
  type Parameter,
  type Value,
} from '@terrane/cty';
import type { CheckedProvider, FunctionParameter, FunctionSignature } from '@terrane/provider';
import { type ProviderSource, ProviderConfigAddr } from '../addrs/provider-source.ts';
import { MODULE_ROOT } from '../addrs/module-path.ts';
import type { Module, Schemas } from '../config/model.ts';
import type { ProviderSessions } from '../session/provider-sessions.ts';

/** Finds the functions that providers bring along, `provider::NAME::FUNCTION`. */
export class ProviderFunctions {
  readonly #sessions: ProviderSessions;
  readonly #schemas: Schemas;
  readonly #specs = new Map<string, FunctionSpec>();

  constructor(sessions: ProviderSessions, schemas: Schemas) {
    this.#sessions = sessions;
    this.#schemas = schemas;
  }

  /** The function of a name as a module knows it, or undefined where its provider has none. */
  find(module: Module, name: string): FunctionSpec | undefined {
    const [space, local, called] = name.split('::');
    if (space !== 'provider' || local === undefined || called === undefined) return undefined;
    const source = module.providerSource(local);
    const key = `${source.text}::${called}`;
    let spec = this.#specs.get(key);
    if (spec !== undefined) return spec;
    const functions = this.#schemas.provider(source)?.functions;
    const signature =
      functions !== undefined && Object.hasOwn(functions, called) ? functions[called] : undefined;
    if (signature === undefined) return undefined;
    spec = specOf(name, called, signature, () => this.#provider(source));
    this.#specs.set(key, spec);
    return spec;
  }

  #provider(source: ProviderSource): CheckedProvider {
    const started = this.#sessions.started(ProviderConfigAddr.of(MODULE_ROOT, source));
    if (started instanceof Promise) throw new CtyError(NOT_AT_ONCE);
    return started;
  }
}

const NOT_AT_ONCE =
  'this provider answers function calls only later, which expressions cannot wait for yet';

function specOf(
  name: string,
  called: string,
  signature: FunctionSignature,
  provider: () => CheckedProvider,
): FunctionSpec {
  const { variadic } = signature;
  return {
    name,
    description: signature.description ?? signature.summary ?? '',
    parameters: signature.parameters.map(parameterOf),
    ...(variadic === undefined ? {} : { variadic: parameterOf(variadic) }),
    returnType: signature.returns,
    implementation: (args) => call(provider(), called, args),
  };
}

function parameterOf(parameter: FunctionParameter): Parameter {
  const { name, type, description, allowNull, allowUnknown } = parameter;
  return {
    name,
    type,
    allowDynamic: allowUnknown === true,
    ...(description === undefined ? {} : { description }),
    ...(allowNull === undefined ? {} : { allowNull }),
    ...(allowUnknown === undefined ? {} : { allowUnknown }),
  };
}

function call(provider: CheckedProvider, name: string, args: readonly Value[]): Value {
  const answer = provider.callFunction?.({ name, args }) ?? {
    error: { message: 'the provider has no functions' },
  };
  if (answer instanceof Promise) throw new CtyError(NOT_AT_ONCE);
  const { error, result } = answer;
  if (error?.argument !== undefined) throw new ArgumentError(error.argument, error.message);
  if (error !== undefined || result === undefined)
    throw new CtyError(error?.message ?? 'no result');
  return result;
}
