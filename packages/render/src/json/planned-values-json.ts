import type { ModuleInstance } from '@terrane/addresses';
import { compareText } from '@terrane/cty';
import type { PlannedChange, Schemas } from '@terrane/engine';
import { JsonMembers, jsonString, MemberWriter, type Write } from './json-text.ts';
import { attributesJson, keyJson } from './state-json.ts';
import { sensitiveJson, valueJson } from './value-json.ts';

interface Module {
  readonly address: string;
  readonly changes: PlannedChange[];
  readonly children: Module[];
}

/** Writes the objects there will be, by module, as the root module of `planned_values`. */
export function writePlannedModule(
  changes: readonly PlannedChange[],
  schemas: Schemas,
  write: Write,
): void {
  const root: Module = { address: '', changes: [], children: [] };
  const modules = new Map<string, Module>([['', root]]);
  for (const change of changes) {
    // Deposed objects are always deleted.
    if (change.action === 'delete' || change.deposed !== undefined) continue;
    moduleOf(change.addr.resource.module, modules, root).changes.push(change);
  }
  root.children.sort((a, b) => compareText(a.address, b.address));
  writeModule(root, schemas, write);
}

function moduleOf(instance: ModuleInstance, modules: Map<string, Module>, root: Module): Module {
  const existing = modules.get(instance.text);
  if (existing !== undefined) return existing;
  if (instance.parent === undefined) return root;
  const module: Module = { address: instance.text, changes: [], children: [] };
  modules.set(instance.text, module);
  moduleOf(instance.parent, modules, root).children.push(module);
  return module;
}

function writeModule(module: Module, schemas: Schemas, write: Write): void {
  const { changes, address, children } = module;
  changes.sort((a, b) => compareText(a.addr.text, b.addr.text));
  new MemberWriter(write)
    .addArray('resources', changes, (change) => write(resourceJson(change, schemas)))
    .addText('address', address)
    .addArray('child_modules', children, (child) => writeModule(child, schemas, write))
    .end();
}

function resourceJson(change: PlannedChange, schemas: Schemas): string {
  const { addr, after, afterIdentity: identity } = change;
  const { resource } = addr.resource;
  return new JsonMembers()
    .add('address', jsonString(addr.text))
    .add('mode', resource.mode === 'managed' ? '"managed"' : '"data"')
    .add('type', jsonString(resource.type))
    .add('name', jsonString(resource.name))
    .add('index', keyJson(addr.key))
    .addText('provider_name', change.provider.provider.text)
    .add('schema_version', String(change.schemaVersion))
    .add('values', after.isNull ? undefined : attributesJson(after))
    .add('sensitive_values', sensitiveJson(after))
    .add('identity_schema_version', identity && identityVersion(change, schemas))
    .add('identity', identity && valueJson(identity))
    .text();
}

function identityVersion({ addr, provider }: PlannedChange, schemas: Schemas): string {
  const identities = schemas.provider(provider.provider)?.identities ?? {};
  return String(identities[addr.resource.resource.type]?.version ?? 0);
}
