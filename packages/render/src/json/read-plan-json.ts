import {
  type InstanceAddr,
  MODULE_ROOT,
  parseInstanceAddr,
  ProviderConfigAddr,
  ProviderSource,
} from '@terrane/addresses';
import {
  attrStep,
  indexStep,
  type JsonNode,
  parseJson,
  type Path,
  typeFromJson,
} from '@terrane/cty';
import type {
  Action,
  ActionReason,
  DeferredReason,
  OutputChange,
  Plan,
  PlannedChange,
  Schemas,
} from '@terrane/engine';
import { impliedType } from '@terrane/provider';
import { items, type Members, membersOf, plainJson, text } from './json-node.ts';
import { readSchemas } from './read-schemas-json.ts';
import { valueOf } from './read-value-json.ts';
import type { ShownPlan } from '../human/shown-plan.ts';

/**
 * Parses a server's plan for display: Terraform's "redacted" JSON, which contains the schemas and no secrets. Throws if
 * it is malformed.
 */
export function readRemotePlan(
  json: string,
  about: Pick<ShownPlan, 'mode' | 'errored'>,
): ShownPlan {
  const members = membersOf(parseJson(json));
  const schemas = readSchemas(members.get('provider_schemas') ?? null);
  return { ...about, ...readChanges(members, schemas), schemas };
}

/** Returns the generated configuration of a server's plan, by address. */
export function readGenerated(json: string): readonly {
  readonly address: string;
  readonly importId: string | undefined;
  readonly text: string;
}[] {
  return items(membersOf(parseJson(json)).get('resource_changes')).flatMap((node) => {
    const change = membersOf(membersOf(node).get('change'));
    const generated = text(change.get('generated_config'));
    const importing = change.get('importing');
    const importId = importing === undefined ? undefined : text(membersOf(importing).get('id'));
    const address = text(membersOf(node).get('address'));
    return generated === '' ? [] : [{ address, importId, text: generated }];
  });
}

/** Returns true if a server's plan has a newer format version than supported. */
export function isNewerPlan(json: string): boolean {
  const members = membersOf(parseJson(json));
  const isAbove = (name: string, supported: number): boolean =>
    Number.parseFloat(text(members.get(name))) > supported;
  return isAbove('plan_format_version', 1.2) || isAbove('provider_format_version', 1);
}

/** The changes of Terraform's JSON of a plan. */
export function readChanges(
  json: Members,
  schemas: Schemas,
): Pick<Plan, 'changes' | 'drift' | 'deferred' | 'invocations' | 'outputs' | 'relevant'> {
  return {
    changes: items(json.get('resource_changes')).map((node) => readChange(node, schemas, json)),
    drift: items(json.get('resource_drift')).map((node) => readChange(node, schemas, json)),
    deferred: items(json.get('deferred_changes')).map((node) => ({
      reason: text(membersOf(node).get('reason')) as DeferredReason,
      change: readChange(membersOf(node).get('resource_change') ?? null, schemas, json),
    })),
    invocations: [],
    outputs: readOutputs(json),
    relevant: items(json.get('relevant_attributes')).map((node) => ({
      resource: text(membersOf(node).get('resource')),
      attribute: readPath(membersOf(node).get('attribute')),
    })),
  };
}

const ACTIONS: Readonly<Record<string, Action>> = {
  'no-op': 'no-op',
  create: 'create',
  read: 'read',
  update: 'update',
  delete: 'delete',
  'delete,create': 'delete-then-create',
  'create,delete': 'create-then-delete',
  forget: 'forget',
  'create,forget': 'create-then-forget',
};

function actionOf(node: JsonNode | undefined): Action {
  const action = ACTIONS[items(node).map(text).join(',')];
  if (action === undefined) throw new Error('unknown action');
  return action;
}

function readChange(node: JsonNode, schemas: Schemas, plan: Members): PlannedChange {
  const json = membersOf(node);
  const change = membersOf(json.get('change'));
  const addr = addressOf(text(json.get('address')));
  const source = ProviderSource.parse(text(json.get('provider_name')));
  if ('error' in source) throw new Error(source.error);
  const { mode, type } = addr.resource.resource;
  const schema = schemas.resource(source, mode, type);
  if (schema === undefined) throw new Error(`no schema for ${addr.text}`);
  const objectType = impliedType(schema.block);
  const previous = json.get('previous_address');
  const deposed = json.get('deposed');
  const reason = json.get('action_reason');
  const importing = change.get('importing');
  const generated = change.get('generated_config');
  return {
    addr,
    previousAddr: previous === undefined ? addr : addressOf(text(previous)),
    ...(deposed !== undefined && { deposed: text(deposed) }),
    provider: ProviderConfigAddr.of(MODULE_ROOT, source),
    action: actionOf(change.get('actions')),
    ...(reason !== undefined && { reason: text(reason) as ActionReason }),
    before: valueOf(
      change.get('before') ?? null,
      false,
      change.get('before_sensitive') ?? false,
      objectType,
    ),
    after: valueOf(
      change.get('after') ?? null,
      change.get('after_unknown') ?? false,
      plannedSensitive(plan, addr.text) ?? change.get('after_sensitive') ?? false,
      objectType,
    ),
    schemaVersion: schema.version,
    requiredReplace: items(change.get('replace_paths')).map(readPath),
    ...(importing !== undefined && {
      importing: { id: text(membersOf(importing).get('id') ?? '') },
    }),
    ...(generated !== undefined && { generatedConfig: text(generated) }),
  };
}

/** Returns the sensitive positions of an object in the planned values, without those of the schema. */
function plannedSensitive(plan: Members, address: string): JsonNode | undefined {
  const find = (module: Members): JsonNode | undefined => {
    for (const resource of items(module.get('resources'))) {
      const json = membersOf(resource);
      if (json.get('address') === address) return json.get('sensitive_values');
    }
    for (const child of items(module.get('child_modules'))) {
      const sensitive = find(membersOf(child));
      if (sensitive !== undefined) return sensitive;
    }
    return undefined;
  };
  return find(membersOf(membersOf(plan.get('planned_values')).get('root_module')));
}

function readOutputs(plan: Members): OutputChange[] {
  const changes = membersOf(plan.get('output_changes'));
  const planned = membersOf(membersOf(plan.get('planned_values')).get('outputs'));
  return [...changes].map(([name, node]) => {
    const change = membersOf(node);
    const type = membersOf(planned.get(name)).get('type');
    return {
      name,
      action: actionOf(change.get('actions')) as OutputChange['action'],
      before: valueOf(change.get('before') ?? null, false, false, undefined),
      after: valueOf(
        change.get('after') ?? null,
        change.get('after_unknown') ?? false,
        false,
        type === undefined ? undefined : typeFromJson(plainJson(type)),
      ),
      sensitive: change.get('after_sensitive') === true,
    };
  });
}

function readPath(node: JsonNode | undefined): Path {
  return items(node).map((step) =>
    typeof step === 'string'
      ? attrStep(step)
      : indexStep(Number((step as { number: string }).number)),
  );
}

function addressOf(address: string): InstanceAddr {
  const parsed = parseInstanceAddr(address).address;
  if (parsed === undefined) throw new Error(`not an address: ${address}`);
  return parsed;
}
