import { DYNAMIC, quoteText } from '@terrane/cty';
import type { Value } from '@terrane/cty';
import type {
  Answer,
  CallAnswer,
  CallRequest,
  ConfigureRequest,
  FunctionsAnswer,
  Provider,
  ProviderSchema,
  StateStore,
} from '@terrane/provider';
import { memberOf } from '@terrane/provider';
import { actionCalls } from './action-calls.ts';
import { Asking, diagnosed, failed, textOf } from './asking.ts';
import { diagnosticsOf, functionOf, numberOf } from './from-wire.ts';
import { listCalls } from './list-calls.ts';
import { callFailure } from './plugin-pool.ts';
import type { PluginPool } from './plugin-pool.ts';
import { PluginStateStore } from './plugin-state-store.ts';
import { readCalls } from './read-calls.ts';
import { resourceCalls } from './resource-calls.ts';
import { fromDynamic, toDynamic } from './values.ts';

const NO_SCHEMA: ProviderSchema = {
  provider: { version: 0, block: { attributes: {}, blocks: {} } },
  resources: {},
  dataSources: {},
  ephemeralResources: {},
  functions: {},
  capabilities: {},
};

/**
 * Returns a provider for one configuration, in a separate process.
 *
 * @param address the provider's source address as shown in messages
 */
export function pluginProvider(pool: PluginPool, address: string): Provider {
  const asking = new Asking(pool, address);
  return {
    ...resourceCalls(asking),
    ...readCalls(asking),
    ...actionCalls(asking),
    ...listCalls(asking),

    async schema(): Promise<ProviderSchema & Answer> {
      const { schema = NO_SCHEMA, diagnostics } = await asking.schema();
      return { ...schema, diagnostics };
    },

    validateProviderConfig(request: {
      readonly config: Value;
    }): Promise<Answer & { readonly prepared?: Value }> {
      return asking.forProvider('ValidateProviderConfig', ({ connection, type, subject }) =>
        asking.call<'ValidateProviderConfig', Answer & { readonly prepared?: Value }>(
          connection,
          subject,
          'ValidateProviderConfig',
          () => ({ config: toDynamic(request.config, type) }),
          // Terraform takes no notice of a prepared configuration either.
          (answer) => ({ diagnostics: diagnosticsOf(answer.diagnostics) }),
          failed,
        ),
      );
    },

    async configure(request: ConfigureRequest): Promise<Answer> {
      asking.claim();
      return await asking.forProvider('ConfigureProvider', ({ connection, type, subject }) =>
        asking.call<'ConfigureProvider', Answer>(
          connection,
          subject,
          'ConfigureProvider',
          () => ({
            terraformVersion: request.terraformVersion,
            config: toDynamic(request.config, type),
            clientCapabilities: request.capabilities,
          }),
          diagnosed,
          failed,
        ),
      );
    },

    stateStore(type: string): StateStore {
      return new PluginStateStore(type, {
        connect: (call) => asking.connect(call),
        schema: async () => {
          const { schema, diagnostics } = await asking.schema();
          return schema === undefined ? { diagnostics } : schema;
        },
        failure: (connection, call, error) =>
          callFailure(connection, call, ` for state store ${type} of ${asking.address}`, error),
      });
    },

    async callFunction(request: CallRequest): Promise<CallAnswer> {
      const { schema, diagnostics } = await asking.schema();
      const signature = memberOf(schema?.functions, request.name) ?? request.signature;
      if (signature === undefined) {
        const reason = diagnostics.find(({ severity }) => severity === 'error');
        const message =
          reason?.detail ?? `provider has no function named ${quoteText(request.name)}`;
        return { error: { message } };
      }
      const got = await asking.connect('CallFunction');
      if ('diagnostics' in got) return { error: { message: textOf(got) } };
      return await asking.call<'CallFunction', CallAnswer>(
        got,
        ` for function ${quoteText(request.name)} of provider ${asking.address}`,
        'CallFunction',
        () => ({
          name: request.name,
          arguments: request.args.map((arg, i) =>
            toDynamic(arg, (signature.parameters[i] ?? signature.variadic)?.type ?? DYNAMIC),
          ),
        }),
        ({ result, error }) => {
          if (error == null) return { result: fromDynamic(result, signature.returns) };
          const argument = Object.hasOwn(error, 'functionArgument')
            ? { argument: numberOf(error.functionArgument) }
            : {};
          return { error: { message: error.text ?? '', ...argument } };
        },
        (answer) => ({ error: { message: textOf(answer) } }),
      );
    },

    async configuredFunctions(): Promise<FunctionsAnswer> {
      const failure = (answer: Answer): FunctionsAnswer => ({ ...answer, functions: {} });
      const connection = await asking.connect('GetFunctions');
      if ('diagnostics' in connection) return failure(connection);
      return await asking.call<'GetFunctions', FunctionsAnswer>(
        connection,
        ` for the functions of provider ${asking.address}`,
        'GetFunctions',
        () => ({}),
        ({ functions, diagnostics }) => ({
          functions: Object.fromEntries(
            Object.entries(functions ?? {}).map(([name, wire]) => [name, functionOf(wire)]),
          ),
          diagnostics: diagnosticsOf(diagnostics),
        }),
        failure,
      );
    },

    stop: () => asking.stop(),
    kill: () => asking.kill(),
    close: () => asking.close(),
  };
}
