import { quoteText } from '@terrane/cty';
import type { BundledProvider, Provider, ProviderSchema } from '@terrane/provider';
import {
  applyData,
  DATA_SCHEMA,
  importData,
  moveData,
  planData,
  upgradeData,
  validateData,
} from './data.ts';
import { FUNCTIONS } from './functions.ts';
import { readRemoteState, REMOTE_STATE_SCHEMA, validateRemoteState } from './remote-state.ts';

const NOTHING = { version: 0, block: { attributes: {}, blocks: {} } };

const SCHEMA: ProviderSchema = {
  provider: NOTHING,
  resources: { terraform_data: DATA_SCHEMA },
  dataSources: { terraform_remote_state: REMOTE_STATE_SCHEMA },
  ephemeralResources: {},
  functions: FUNCTIONS,
  capabilities: { moveResourceState: true },
};

/** The built-in provider, written against the contract itself: `terraform_data` comes by the thousand. */
export const provider: BundledProvider = {
  address: 'terraform.io/builtin/terraform',
  version: '',
  create: (ports): Provider => ({
    sideEffects: false,
    schema: () => SCHEMA,
    validateProviderConfig: ({ config }) => ({ prepared: config }),
    configure: () => ({}),
    validateResourceConfig: validateData,
    upgradeResourceState: upgradeData,
    readResource: ({ prior, private: kept }) => ({ state: prior, ...(kept && { private: kept }) }),
    planResourceChange: planData,
    applyResourceChange: (request) => applyData(ports.random, request),
    importResourceState: importData,
    moveResourceState: moveData,
    validateDataSourceConfig: (request) => validateRemoteState(ports, request),
    readDataSource: (request) => readRemoteState(ports, request),
    callFunction: ({ name, args: [argument] }) => {
      const found = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
      if (found === undefined) {
        return { error: { message: `provider has no function named ${quoteText(name)}` } };
      }
      if (argument === undefined) return { error: { message: 'exactly one argument is required' } };
      return found.call(argument);
    },
    stop: () => {},
    close: () => {},
  }),
};
