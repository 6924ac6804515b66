import type { ProviderSource } from '@terrane/addresses';
import type { Module, Schemas } from '@terrane/engine';
import { bodyJson } from './expressions-json.ts';
import { JsonMembers, jsonObject } from './json-text.ts';
import { canonicalConstraints } from './version-constraint-text.ts';

/** A provider configuration under its local name in a module. */
interface Entry {
  readonly name: string;
  readonly source: ProviderSource;
  readonly alias?: string | undefined;
  readonly constraint?: string | undefined;
  readonly module: string;
  readonly expressions?: string | undefined;
  /** key of the configuration that the parent module passes; this entry is then an alias of it */
  readonly parentKey?: string | undefined;
}

/** All provider configurations of a module tree, under keys such as "aws", "module.a:aws.east". */
export class ProviderConfigs {
  readonly #schemas: Schemas | undefined;
  readonly #entries: Map<string, Entry> = new Map();

  constructor(root: Module, schemas: Schemas | undefined) {
    this.#schemas = schemas;
    this.#addModule(root);
  }

  /** Returns the key of the provider configuration with the local name `local` in a module. */
  keyOf(local: string, modulePath: string): string {
    const key = providerKey(local, modulePath);
    const parent = this.#entries.get(key)?.parentKey;
    return parent !== undefined && this.#entries.has(parent) ? parent : key;
  }

  /** Returns the provider configurations, without those that are only passed in; undefined if there are none. */
  json(): string | undefined {
    const members: [string, string][] = [];
    for (const [key, entry] of this.#entries) {
      if ((entry.parentKey ?? '') !== '') continue;
      const json = new JsonMembers()
        .addText('name', entry.name)
        .addText('full_name', entry.source.text)
        .addText('alias', entry.alias)
        .addText('version_constraint', entry.constraint)
        .addText('module_address', entry.module)
        .add('expressions', entry.expressions)
        .text();
      members.push([key, json]);
    }
    return members.length === 0 ? undefined : jsonObject(members);
  }

  #addModule(module: Module): void {
    const path = module.path.text;
    const requirements = requirementsOf(module);
    const constraintOf = (source: ProviderSource): string =>
      canonicalConstraints(requirements.get(source) ?? []);

    for (const [local, block] of module.providers) {
      const source = module.providerSource(block.name);
      const schema = this.#schemas?.provider(source)?.provider.block;
      this.#entries.set(providerKey(local, path), {
        name: block.name,
        source,
        alias: block.alias,
        constraint: constraintOf(source),
        module: path,
        expressions: schema === undefined ? undefined : bodyJson(block.body, schema),
      });
    }
    for (const [local, required] of module.requiredProviders) {
      const { name, source } = required;
      const entry = { name, source, constraint: constraintOf(source), module: path };
      for (const alias of required.aliases) {
        this.#addMissing(providerKey(`${name}.${alias}`, path), entry);
      }
      this.#addMissing(providerKey(local, path), {
        ...entry,
        parentKey: this.#inherited(module, name, source),
      });
    }
    // Providers that are only implied by a resource, an import or a block.
    for (const source of requirements.keys()) {
      this.#addMissing(providerKey(source.type, path), {
        name: source.type,
        source,
        module: path,
        parentKey: this.#inherited(module, source.type, source),
      });
    }
    for (const [name, call] of module.calls) {
      const child = module.children.get(name);
      if (child === undefined) continue;
      for (const { inChild, inParent } of call.providers ?? []) {
        const local = localText(inChild);
        const source = child.providerSource(inChild.name);
        this.#entries.set(providerKey(local, child.path.text), {
          name: local,
          source,
          module: child.path.text,
          parentKey: this.#sourceKey(providerKey(localText(inParent), path), source),
        });
      }
      this.#addModule(child);
    }
  }

  #addMissing(key: string, entry: Entry): void {
    if (!this.#entries.has(key)) this.#entries.set(key, entry);
  }

  #inherited(module: Module, local: string, source: ProviderSource): string | undefined {
    if (module.parent === undefined) return undefined;
    return this.#sourceKey(providerKey(local, module.parent.path.text), source);
  }

  /** Resolves passed provider names up the module tree to the original configuration. */
  #sourceKey(start: string, source: ProviderSource): string | undefined {
    let sourceKey: string | undefined;
    let key: string | undefined = start;
    while (key !== undefined && key !== '') {
      const entry: Entry | undefined = this.#entries.get(key);
      if (entry === undefined || entry.source.text !== source.text) break;
      sourceKey = key;
      key = entry.parentKey;
    }
    return sourceKey;
  }
}

function localText(local: { readonly name: string; readonly alias?: string }): string {
  return local.alias === undefined || local.alias === ''
    ? local.name
    : `${local.name}.${local.alias}`;
}

/** Returns a key for a provider's local name that is unique among all modules. */
function providerKey(local: string, modulePath: string): string {
  return modulePath === '' ? local : `${modulePath}:${local}`;
}

/** Returns the providers that a module itself requires, with its version constraints. */
function requirementsOf(module: Module): ReadonlyMap<ProviderSource, readonly string[]> {
  const result = new Map<ProviderSource, string[]>();
  const add = (source: ProviderSource, constraint: string | undefined): void => {
    let constraints = result.get(source);
    if (constraints === undefined) {
      constraints = [];
      result.set(source, constraints);
    }
    if (constraint !== undefined && constraint !== '') constraints.push(constraint);
  };
  for (const { source, constraint } of module.requiredProviders.values()) add(source, constraint);
  for (const { provider } of module.resources.values()) add(provider, undefined);
  for (const target of module.imports) {
    if (target.toModule.isRoot && !module.resources.has(target.toResource.text)) {
      add(target.provider, undefined);
    }
  }
  for (const block of module.providers.values()) {
    add(module.providerSource(block.name), block.version);
  }
  return result;
}
