import type { ActionInstanceAddr } from '@terrane/addresses';
import { Bug } from '@terrane/cty';
import { actionSchemaOf, type Plan, type PlannedInvocation, type Schemas } from '@terrane/engine';
import { withSchemaMarks } from '../diff/schema-marks.ts';
import { jsonArray, JsonMembers, jsonString } from './json-text.ts';
import { sensitiveJson, unknownJson, valueJson } from './value-json.ts';

type Trigger = PlannedInvocation['trigger'];
type Lifecycle = Extract<Trigger, { readonly kind: 'lifecycle' }>;

const EVENTS: Readonly<Record<Lifecycle['event'], string>> = {
  before_create: 'BeforeCreate',
  after_create: 'AfterCreate',
  before_update: 'BeforeUpdate',
  after_update: 'AfterUpdate',
  before_destroy: 'BeforeDestroy',
  after_destroy: 'AfterDestroy',
};

const ON_FAILURE: Readonly<Record<Lifecycle['onFailure'], string>> = {
  halt: 'ActionOnFailureHalt',
  taint: 'ActionOnFailureTaint',
  continue: 'ActionOnFailureContinue',
};

/** Returns the name of a lifecycle event in Terraform's JSON. */
export function eventName({ event }: Lifecycle): string {
  return EVENTS[event];
}

/** Returns the name of an `on_failure` choice in Terraform's JSON. */
export function failureName({ onFailure }: Lifecycle): string {
  return ON_FAILURE[onFailure];
}

/** Returns the `action_invocations` of the plan JSON; undefined if there are none. */
export function invocationsJson(
  invocations: readonly PlannedInvocation[],
  schemas: Schemas,
): string | undefined {
  if (invocations.length === 0) return undefined;
  return jsonArray(invocations.map((invocation) => invocationJson(invocation, schemas)));
}

/** Returns the `deferred_action_invocations` of the plan JSON; undefined if there are none. */
export function deferredInvocationsJson({
  deferredInvocations,
  schemas,
}: Pick<Plan, 'deferredInvocations' | 'schemas'>): string | undefined {
  if (deferredInvocations.length === 0) return undefined;
  return jsonArray(
    deferredInvocations.map(({ invocation, reason }) =>
      new JsonMembers()
        .add('reason', jsonString(reason))
        .add('action_invocation', invocationJson(invocation, schemas))
        .text(),
    ),
  );
}

function invocationJson(invocation: PlannedInvocation, schemas: Schemas): string {
  const { addr, provider, trigger } = invocation;
  const { action } = addr;
  const config = configOf(invocation, schemas);
  return new JsonMembers()
    .add('address', jsonString(addr.text))
    .add('type', jsonString(action.type))
    .add('name', jsonString(action.name))
    .add('config_values', valueJson(config) ?? 'null')
    .add('config_sensitive', sensitiveJson(config))
    .add('config_unknown', unknownJson(config))
    .add('provider_name', jsonString(provider.provider.text))
    .add(
      'lifecycle_action_trigger',
      trigger.kind === 'lifecycle' ? lifecycleJson(trigger) : undefined,
    )
    .add(
      'invoke_action_trigger',
      trigger.kind === 'invoke'
        ? new JsonMembers().addText('calling_resource_address', trigger.caller?.text).text()
        : undefined,
    )
    .text();
}

/** Returns the configuration of an action, with values marked that the schema declares sensitive. */
export function configOf(
  { addr, provider, config }: PlannedInvocation,
  schemas: Schemas,
): PlannedInvocation['config'] {
  const schema = actionSchemaOf(schemas, { provider: provider.provider, addr: addr.action });
  if (schema === undefined) throw new Bug(`no schema for ${addr.text}`);
  return withSchemaMarks(config, schema.block);
}

function lifecycleJson(trigger: Lifecycle): string {
  return new JsonMembers()
    .add('triggering_resource_address', jsonString(trigger.resource.text))
    .add('action_trigger_event', jsonString(eventName(trigger)))
    .add('action_trigger_block_index', String(trigger.block))
    .add('actions_list_index', String(trigger.position))
    .add('on_failure', jsonString(failureName(trigger)))
    .text();
}

/** The parts of the address of an action's instance. */
export function actionAddressJson(addr: ActionInstanceAddr, key: string): string {
  const { module, action, text } = addr;
  const inModule = module.isRoot ? text : text.slice(module.text.length + 1);
  return new JsonMembers()
    .add('addr', jsonString(text))
    .add('module', jsonString(module.text))
    .add('action', jsonString(inModule))
    .add('implied_provider', jsonString(action.impliedProvider))
    .add('action_type', jsonString(action.type))
    .add('action_name', jsonString(action.name))
    .add('action_key', key)
    .text();
}
