import { compareInstances, UNKNOWN_KEY } from '@terrane/addresses';
import { Bug, compareText, type Path, typeToJsonText, type Value } from '@terrane/cty';
import type { Action, OutputChange, Plan, PlannedChange, Schemas } from '@terrane/engine';
import { withSchemaMarks } from '../diff/schema-marks.ts';
import { checksJson } from './checks-json.ts';
import { configurationJson, configurationText } from './configuration-json.ts';
import { importingJson } from './importing-json.ts';
import { deferredInvocationsJson, invocationsJson } from './invocations-json.ts';
import {
  jsonArray,
  JsonMembers,
  jsonObject,
  jsonString,
  jsonStrings,
  MemberWriter,
  textParts,
  type Write,
} from './json-text.ts';
import { inSetOrder } from './path-order.ts';
import { writePlannedModule } from './planned-values-json.ts';
import { keyJson, writeState } from './state-json.ts';
import { sensitiveJson, unknownJson, valueJson } from './value-json.ts';

/** Version of the plan's JSON form. */
const FORMAT_VERSION = '1.2';

/** Options of {@link planJson}. */
export interface PlanJsonOptions {
  /** describes variables, outputs and ephemeral resources of the configuration as OpenTofu does */
  readonly asOpenTofu?: boolean;
}

/** A plan as `show -json PLAN` prints it, compact and in Terraform's order of members. */
export function planJson(plan: Plan, options?: PlanJsonOptions): string {
  return planJsonParts(plan, options).join('');
}

/** Variant of {@link planJson} for plans of any size: returns the text in parts, as strings have a maximum length. */
export function planJsonParts(plan: Plan, { asOpenTofu = false }: PlanJsonOptions = {}): string[] {
  return textParts((write) => writePlan(plan, asOpenTofu, write));
}

function writePlan(plan: Plan, asOpenTofu: boolean, write: Write): void {
  const { configuration, schemas } = plan;
  const configurationMember = asOpenTofu
    ? configurationJson(configuration, schemas)
    : configurationText(configuration, schemas);
  const drift = plan.drift.filter(
    (change) => plan.mode === 'refresh-only' || change.action !== 'no-op',
  );
  const writeChange = (change: PlannedChange): void => write(resourceChange(change, schemas));
  const members = new MemberWriter(write)
    .add('format_version', jsonString(FORMAT_VERSION))
    .addText('terraform_version', plan.terraformVersion)
    .add('variables', variablesJson(plan))
    .addWritten('planned_values', () => writePlannedValues(plan, write))
    .addArray('resource_drift', shownChanges(drift), writeChange)
    .addArray('resource_changes', shownChanges(plan.changes), writeChange)
    .add('deferred_changes', deferredJson(plan))
    .add('deferred_action_invocations', deferredInvocationsJson(plan))
    .add('output_changes', outputChanges(plan.outputs))
    .add('action_invocations', invocationsJson(plan.invocations, plan.schemas));
  if (!plan.priorState.isEmpty)
    members.addWritten('prior_state', () => writePriorState(plan, write));
  members
    .add('configuration', configurationMember)
    .add('relevant_attributes', relevantAttributes(plan))
    .add('checks', plan.checks.length === 0 ? undefined : checksJson(plan.checks))
    .addText('timestamp', plan.timestamp)
    .add('applyable', String(plan.applyable))
    .add('complete', String(plan.complete))
    .add('errored', String(plan.errored))
    .add('policy_results', plan.annotations?.get('policy_results'))
    .end();
}

function writePriorState(plan: Plan, write: Write): void {
  const file = {
    state: plan.priorState,
    lineage: '',
    serial: 0,
    terraformVersion: plan.terraformVersion,
  };
  // Check results of the previous run are not part of this plan, which has its own.
  writeState(file, plan.schemas, false, write);
}

// Variables that the caller did not set are shown with their defaults.
function variablesJson(plan: Plan): string | undefined {
  const values = new Map<string, Value>(plan.variables);
  for (const [name, variable] of plan.configuration.root.variables) {
    if (variable.default !== undefined && !values.has(name)) values.set(name, variable.default);
  }
  if (values.size === 0) return undefined;
  const members = [...values].map(([name, value]) => {
    const json = new JsonMembers().add('value', valueJson(value)).text();
    return [name, json] as const;
  });
  return jsonObject(members);
}

function writePlannedValues(plan: Plan, write: Write): void {
  const outputs = plan.outputs
    .filter((output) => output.action !== 'delete')
    .map((output) => {
      const isKnown = output.after.isWhollyKnown();
      const json = new JsonMembers()
        .add('sensitive', String(output.sensitive))
        .add('type', isKnown ? typeToJsonText(output.after.type) : undefined)
        .add('value', isKnown ? valueJson(output.after) : undefined)
        .text();
      return [output.name, json] as const;
    });
  new MemberWriter(write)
    .add('outputs', outputs.length === 0 ? undefined : jsonObject(outputs))
    .addWritten('root_module', () => writePlannedModule(plan.changes, plan.schemas, write))
    .end();
}

/** Returns the changes of a plan as JSON; undefined if there are none. */
export function changesJson(
  changes: readonly PlannedChange[],
  schemas: Schemas,
): string | undefined {
  const shown = shownChanges(changes);
  return shown.length === 0
    ? undefined
    : jsonArray(shown.map((change) => resourceChange(change, schemas)));
}

/** Returns the changes that are in the JSON form of a plan, in its order. */
function shownChanges(changes: readonly PlannedChange[]): readonly PlannedChange[] {
  return (
    changes
      // Deleting a data source only cleans up the state.
      .filter((c) => c.action !== 'delete' || c.addr.resource.resource.mode === 'managed')
      .sort(
        (a, b) => compareInstances(a.addr, b.addr) || compareText(a.deposed ?? '', b.deposed ?? ''),
      )
  );
}

function resourceChange(change: PlannedChange, schemas: Schemas): string {
  const { addr, previousAddr } = change;
  const { resource, module } = addr.resource;
  return new JsonMembers()
    .add('address', jsonString(addr.text))
    .addText('previous_address', previousAddr.text === addr.text ? '' : previousAddr.text)
    .addText('module_address', module.text)
    .add('mode', resource.mode === 'managed' ? '"managed"' : '"data"')
    .add('type', jsonString(resource.type))
    .add('name', jsonString(resource.name))
    .add('index', addr.key === UNKNOWN_KEY ? undefined : keyJson(addr.key))
    .addFlag('index_unknown', addr.key === UNKNOWN_KEY)
    .add('provider_name', jsonString(change.provider.provider.text))
    .addText('deposed', change.deposed)
    .add('change', changeMember(change, schemas))
    .addText('action_reason', change.reason)
    .text();
}

/** Formats the deferred changes. */
function deferredJson({ deferred, schemas }: Plan): string | undefined {
  if (deferred.length === 0) return undefined;
  return jsonArray(
    deferred.map(({ change, reason }) =>
      new JsonMembers()
        .addText('reason', reason)
        .add('resource_change', resourceChange(change, schemas))
        .text(),
    ),
  );
}

function changeMember(change: PlannedChange, schemas: Schemas): string {
  const { importing, beforeIdentity, afterIdentity } = change;
  const { resource } = change.addr.resource;
  const schema = schemas.resource(change.provider.provider, resource.mode, resource.type);
  if (schema === undefined) throw new Bug(`no schema for ${change.addr.text}`);
  // Attributes that are sensitive in the schema are so here, though not in the planned values.
  const before = withSchemaMarks(change.before, schema.block);
  const after = withSchemaMarks(change.after, schema.block);
  return new JsonMembers()
    .add('actions', actionsJson(change.action))
    .add('before', valueJson(before))
    .add('after', valueJson(after))
    .add('after_unknown', after.isWhollyKnown() ? '{}' : unknownJson(after))
    .add('before_sensitive', sensitiveJson(before))
    .add('after_sensitive', sensitiveJson(after))
    .add('replace_paths', pathsJson(change.requiredReplace))
    .add('importing', importing === undefined ? undefined : importingJson(importing))
    .addText('generated_config', change.generatedConfig)
    .add('before_identity', beforeIdentity === undefined ? undefined : valueJson(beforeIdentity))
    .add('after_identity', afterIdentity === undefined ? undefined : valueJson(afterIdentity))
    .text();
}

const ACTIONS: Readonly<Record<Action, readonly string[]>> = {
  'no-op': ['no-op'],
  create: ['create'],
  read: ['read'],
  update: ['update'],
  delete: ['delete'],
  'delete-then-create': ['delete', 'create'],
  'create-then-delete': ['create', 'delete'],
  forget: ['forget'],
  'create-then-forget': ['create', 'forget'],
  'forget-then-create': ['forget', 'create'],
};

/** Formats the actions of a change as plan JSON does. */
export function actionsJson(action: Action): string {
  return jsonStrings(ACTIONS[action]);
}

/** Returns the output changes as JSON; undefined if there are none. */
export function outputChanges(outputs: readonly OutputChange[]): string | undefined {
  if (outputs.length === 0) return undefined;
  const members = outputs.map((output) => {
    const { after } = output;
    const json = new JsonMembers()
      .add('actions', actionsJson(output.action))
      .add('before', valueJson(output.before))
      .add('after', valueJson(after))
      .add('after_unknown', after.isWhollyKnown() ? 'false' : unknownJson(after))
      .add('before_sensitive', String(output.sensitive))
      .add('after_sensitive', String(output.sensitive))
      .text();
    return [output.name, json] as const;
  });
  return jsonObject(members);
}

function pathsJson(paths: readonly Path[]): string | undefined {
  return paths.length === 0 ? undefined : jsonArray(inSetOrder(paths).map(pathJson));
}

/** A path as an array of names and keys. */
export function pathJson(path: Path): string {
  return jsonArray(
    path.map((step) =>
      step.kind === 'attr' ? jsonString(step.name) : (valueJson(step.key) ?? 'null'),
    ),
  );
}

/** Returns the attributes on which changes depend, as JSON; undefined if there are none. */
export function relevantAttributes(plan: Plan): string | undefined {
  if (plan.relevant.length === 0) return undefined;
  return jsonArray(
    plan.relevant.map(
      ({ resource, attribute }) =>
        `{"resource":${jsonString(resource)},"attribute":${pathJson(attribute)}}`,
    ),
  );
}
