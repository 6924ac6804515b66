import type { Answer, Provider, ProviderSchema, StateStore } from '@terrane/provider';
import { actionCalls } from './action-calls.ts';
import { Asking } from './asking.ts';
import { configurationCalls } from './configuration-calls.ts';
import { functionCalls } from './function-calls.ts';
import { listCalls } from './list-calls.ts';
import { callFailure } from './plugin-pool.ts';
import type { PluginPool } from './plugin-pool.ts';
import { PluginStateStore } from './plugin-state-store.ts';
import { readCalls } from './read-calls.ts';
import { resourceCalls } from './resource-calls.ts';

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

    ...configurationCalls(asking),

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

    ...functionCalls(asking),

    stop: () => asking.stop(),
    kill: () => asking.kill(),
    close: () => asking.close(),
  };
}
