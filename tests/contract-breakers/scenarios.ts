// A run for each call of the plugin protocol that reaches it.
import { GOOD } from './cases.ts';
import type { Scenario } from './interrupted.ts';
import { SLOW } from './breaker-provider.ts';

/** An object of the type whose calls are broken. */
export const FRAGILE: string = `resource "breaker_fragile" "it" {\n  name = "it"\n}\n`;
const created = `${GOOD}\n${FRAGILE}`;
const address = 'breaker_fragile.it';
const data = `${GOOD}\ndata "breaker_fragile" "it" {\n  name = "it"\n}\n`;
const ephemeral = `${GOOD}
ephemeral "breaker_fragile" "it" {
  name = "it"
}
resource "breaker_thing" "user" {
  rule   = ${JSON.stringify(SLOW)}
  secret = ephemeral.breaker_fragile.it.token
}
`;
const action = `${GOOD}
action "breaker_fragile" "it" {
  config {
    name = "it"
  }
}
resource "breaker_thing" "user" {
  name = "user"
  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [action.breaker_fragile.it]
    }
  }
}
`;

/** The state that an object of the type that is broken is in. */
const EXISTS = 'fragile';

/** The calls of the protocol that are made. */
export const CALL_NAMES: readonly string[] = [
  'GetProviderSchema',
  'ValidateProviderConfig',
  'ValidateResourceConfig',
  'ValidateDataResourceConfig',
  'ValidateEphemeralResourceConfig',
  'ValidateActionConfig',
  'ConfigureProvider',
  'UpgradeResourceState',
  'ReadResource',
  'PlanResourceChange',
  'ApplyResourceChange',
  'ImportResourceState',
  'MoveResourceState',
  'ReadDataSource',
  'OpenEphemeralResource',
  'RenewEphemeralResource',
  'CloseEphemeralResource',
  'CallFunction',
  'PlanAction',
  'InvokeAction',
  'GetResourceIdentitySchemas',
  'StopProvider',
  'Shutdown',
];

/** By call, with what it is about. */
export const SCENARIOS: readonly Scenario[] = [
  { call: 'GetProviderSchema', config: GOOD },
  { call: 'ValidateProviderConfig', config: created },
  { call: 'ValidateResourceConfig', config: created, about: address },
  { call: 'ValidateDataResourceConfig', config: data, about: `data.${address}` },
  { call: 'ValidateEphemeralResourceConfig', config: ephemeral, about: `ephemeral.${address}` },
  { call: 'ValidateActionConfig', config: action, about: `action.${address}` },
  { call: 'ConfigureProvider', config: created },
  { call: 'UpgradeResourceState', config: created, state: EXISTS, about: address },
  { call: 'ReadResource', config: created, state: EXISTS, about: address },
  { call: 'PlanResourceChange', config: created, about: address },
  { call: 'ApplyResourceChange', config: created, about: address },
  {
    call: 'ImportResourceState',
    config: `${created}\nimport {\n  to = ${address}\n  id = "x"\n}\n`,
    about: address,
  },
  {
    call: 'MoveResourceState',
    config: `${GOOD.replace('"good"', '"other"')}\nresource "breaker_fragile" "it" {\n  name = "good"\n}\nmoved {\n  from = breaker_thing.good\n  to   = ${address}\n}\n`,
    about: address,
  },
  { call: 'ReadDataSource', config: data, about: `data.${address}` },
  { call: 'OpenEphemeralResource', config: ephemeral, about: `ephemeral.${address}` },
  { call: 'RenewEphemeralResource', config: ephemeral, about: `ephemeral.${address}` },
  { call: 'CloseEphemeralResource', config: ephemeral, about: `ephemeral.${address}` },
  {
    call: 'CallFunction',
    config: `${GOOD}\noutput "x" {\n  value = provider::breaker::fragile("x")\n}\n`,
  },
  { call: 'PlanAction', config: action, about: `action.${address}` },
  { call: 'InvokeAction', config: action, about: `action.${address}` },
  { call: 'GetResourceIdentitySchemas', config: GOOD, namedCall: 'GetProviderSchema' },
  {
    call: 'StopProvider',
    config: `${GOOD}\n${FRAGILE.replace('name = "it"', `rule = ${JSON.stringify(SLOW)}`)}`,
    interrupt: true,
    namedCall: 'ApplyResourceChange',
    about: address,
  },
  { call: 'Shutdown', config: created, harmless: true },
];
