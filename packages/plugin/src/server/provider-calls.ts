import type { ProtocolVersion } from '../wire/definitions.ts';
import { actionCalls } from './action-calls.ts';
import type { Answering, CallHandlers } from './answering.ts';
import { configurationCalls } from './configuration-calls.ts';
import { functionCalls } from './function-calls.ts';
import { listCalls } from './list-calls.ts';
import { readCalls } from './read-calls.ts';
import { resourceCalls } from './resource-calls.ts';
import { schemaCalls } from './schema-calls.ts';
import { stateStoreCalls } from './state-store-calls.ts';
import type { StateStores } from './state-store-calls.ts';

/**
 * Returns the handlers of the unary calls of the plugin protocol for a provider.
 *
 * @param stop ends all running calls
 */
export function providerCalls(
  answering: Answering,
  stores: StateStores,
  version: ProtocolVersion,
  stop: () => void,
): CallHandlers {
  const { provider } = answering;
  return {
    ...schemaCalls(answering, version),
    ...configurationCalls(answering),
    ...resourceCalls(answering),
    ...readCalls(answering),
    ...functionCalls(answering),
    ...actionCalls(answering),
    ...listCalls(answering),
    ...stateStoreCalls(stores),
    StopProvider: async () => {
      stop();
      await provider.stop();
      return {};
    },
  };
}
