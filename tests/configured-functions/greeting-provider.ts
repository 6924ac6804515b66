// A provider with functions that depend on its configuration: `greet` says the configured greeting, and `function`
// names one more function, which only the configured provider has.
import { object, objectType, STRING, str, unknownOf } from '@terrane/cty';
import type { BlockSchema, FunctionSignature, Provider } from '@terrane/provider';
import { serve } from '@terrane/plugin/server';

const settings: BlockSchema = {
  attributes: {
    greeting: { type: STRING, required: true },
    function: { type: STRING, optional: true },
  },
  blocks: {},
};
const greet: FunctionSignature = {
  parameters: [{ name: 'name', type: STRING }],
  returns: objectType({ greeting: STRING, by: STRING }),
};
/** Undefined while the configured greeting is unknown, as it can be in a plan. */
let greeting: string | undefined = 'not configured:';
let configuredName: string | undefined;

const noResources = (): never => {
  throw new Error('the provider has no resources');
};

const provider: Provider = {
  schema: () => ({
    provider: { version: 0, block: settings },
    resources: {},
    dataSources: {},
    ephemeralResources: {},
    functions: { greet },
    capabilities: {},
  }),
  validateProviderConfig: () => ({}),
  validateResourceConfig: () => ({}),
  validateDataSourceConfig: () => ({}),
  configure: ({ config }) => {
    const name = config.attr('function');
    const configured = config.attr('greeting');
    greeting = configured.isKnown ? configured.asString() : undefined;
    configuredName = name.isNull ? undefined : name.asString();
    return {};
  },
  upgradeResourceState: noResources,
  readResource: ({ prior }) => ({ state: prior }),
  planResourceChange: ({ proposed }) => ({ planned: proposed, requiresReplace: [] }),
  applyResourceChange: ({ planned }) => ({ state: planned }),
  importResourceState: () => ({ imported: [] }),
  readDataSource: noResources,
  configuredFunctions: () => ({
    functions: { greet, ...(configuredName === undefined ? {} : { [configuredName]: greet }) },
  }),
  callFunction: ({ name, args: [whom] }) => ({
    result:
      greeting === undefined
        ? unknownOf(greet.returns)
        : object({ greeting: str(`${greeting} ${whom?.asString() ?? ''}`), by: str(name) }),
  }),
  stop: () => {},
  close: () => {},
};

await serve(provider, { address: 'registry.terraform.io/acme/greeting' });
