import type { InstanceAddr } from '@terrane/addresses';
import { typeToJsonText } from '@terrane/cty';
import type { OutputState, Schemas, State, StateFile } from '@terrane/engine';
import { attributes } from '../diff/plain.ts';
import { itemValue, type StateItem, type StateModule, stateTree } from '../state/state-tree.ts';
import { checksJson } from './checks-json.ts';
import {
  compactJson,
  JsonMembers,
  jsonObject,
  jsonString,
  jsonStrings,
  MemberWriter,
  textParts,
  type Write,
} from './json-text.ts';
import { sensitiveJson, valueJson } from './value-json.ts';

/** Version of the state's JSON form. */
const FORMAT_VERSION = '1.0';

/**
 * Formats a state as `show -json` prints it, compact, with its check results only if requested. Throws a
 * StateSchemaError if the schemas do not match the state.
 */
export function stateJson(
  file: StateFile | undefined,
  schemas: Schemas,
  withChecks = true,
): string {
  return stateJsonParts(file, schemas, withChecks).join('');
}

/**
 * Variant of {@link stateJson} for states of any size: returns the text in parts, because strings have a maximum length
 * that the text of a million objects may exceed.
 */
export function stateJsonParts(
  file: StateFile | undefined,
  schemas: Schemas,
  withChecks = true,
): string[] {
  return textParts((write) => writeState(file, schemas, withChecks, write));
}

/** Writes what {@link stateJson} returns. */
export function writeState(
  file: StateFile | undefined,
  schemas: Schemas,
  withChecks: boolean,
  write: Write,
): void {
  const members = new MemberWriter(write).add('format_version', jsonString(FORMAT_VERSION));
  if (file !== undefined && !file.state.isEmpty) {
    const { state, terraformVersion } = file;
    members
      .addText('terraform_version', terraformVersion)
      .addWritten('values', () =>
        new MemberWriter(write)
          .add('outputs', outputsMember(state.outputs))
          .addWritten('root_module', () => writeModule(stateTree(state, schemas), write))
          .end(),
      )
      .add('checks', withChecks ? checksMember(state) : undefined);
  }
  members.end();
}

function checksMember(state: State): string | undefined {
  return state.checks === undefined || state.checks.length === 0
    ? undefined
    : checksJson(state.checks);
}

/** Returns the outputs of a state as JSON; undefined if there are none. */
export function outputsMember(outputs: ReadonlyMap<string, OutputState>): string | undefined {
  if (outputs.size === 0) return undefined;
  const members = [...outputs].map(([name, { value, sensitive }]) => {
    const json = new JsonMembers()
      .add('sensitive', String(sensitive))
      .add('value', valueJson(value))
      .add('type', typeToJsonText(value.type))
      .text();
    return [name, json] as const;
  });
  return jsonObject(members);
}

/** A module of a state, and those below, as JSON. */
export function moduleJson(module: StateModule): string {
  return textParts((write) => writeModule(module, write)).join('');
}

/** Writes a module of a state, and those below. */
function writeModule({ items, address, children }: StateModule, write: Write): void {
  new MemberWriter(write)
    .addArray('resources', items, (item) => write(itemJson(item)))
    .addText('address', address)
    .addArray('child_modules', children, writeModule)
    .end();
}

/**
 * Formats the current object of an instance as in `state show -json`; undefined if there is none. Throws a
 * StateSchemaError if the schemas do not match the object.
 */
export function instanceJson(
  state: State,
  addr: InstanceAddr,
  schemas: Schemas,
): string | undefined {
  const items: StateItem[] = [];
  const collect = (module: StateModule): void => {
    items.push(...module.items);
    for (const child of module.children) collect(child);
  };
  collect(stateTree(state, schemas));
  const current = items.find((item) => item.addr === addr && item.deposed === undefined);
  return current === undefined ? undefined : itemJson(current);
}

function itemJson(item: StateItem): string {
  const { addr, object, deposed } = item;
  const { resource } = addr.resource;
  const { identityJson } = object;
  const value = itemValue(item);
  return (
    new JsonMembers()
      .add('address', jsonString(addr.text))
      .add('mode', resource.mode === 'managed' ? '"managed"' : '"data"')
      .add('type', jsonString(resource.type))
      .add('name', jsonString(resource.name))
      .add('index', keyJson(addr.key))
      .add('provider_name', jsonString(object.provider.provider.text))
      // Only the current object has a schema version.
      .add('schema_version', String(deposed === undefined ? object.schemaVersion : 0))
      .add('values', value.isNull ? undefined : attributesJson(value))
      .add('sensitive_values', sensitiveJson(value))
      .add(
        'depends_on',
        object.dependencies.length === 0 ? undefined : jsonStrings(object.dependencies),
      )
      .addFlag('tainted', object.status === 'tainted')
      .addText('deposed_key', deposed)
      .add('identity_schema_version', deposed === undefined ? identityVersion(object) : undefined)
      .add('identity', identityJson === undefined ? undefined : compactJson(identityJson))
      .text()
  );
}

function identityVersion(object: StateItem['object']): string | undefined {
  return object.identityJson === undefined ? undefined : String(object.identitySchemaVersion ?? 0);
}

/** Returns an instance key as JSON; undefined if there is none. */
export function keyJson(key: string | number | undefined): string | undefined {
  if (key === undefined) return undefined;
  return typeof key === 'number' ? String(key) : jsonString(key);
}

/** Returns the attributes of an object without unknown ones; undefined if the object has no attributes. */
export function attributesJson(value: Parameters<typeof valueJson>[0]): string | undefined {
  const unmarked = value.isMarked ? value.unmark() : value;
  for (const [, attribute] of attributes(unmarked))
    if (attribute.isKnown) return valueJson(unmarked);
  return undefined;
}
