import { type ModulePath, parseProviderPart, ProviderSource } from '@terrane/addresses';
import { DYNAMIC } from '@terrane/cty';
import type { Expression } from '@terrane/hcl';
import type { ModuleDraft } from './assemble-module.ts';
import type { DecodedAction } from './decode-action.ts';
import type { DeclarationCache } from './declaration-cache.ts';
import type { DecodedModuleCall } from './decode-module-call.ts';
import type { DecodedOutput, DecodedVariable } from './decode-named-values.ts';
import type { DecodedImport } from './decode-refactoring.ts';
import type { DecodedResource } from './decode-resource.ts';
import type * as model from './model.ts';

/** The position of a module in the module tree. */
export interface ModulePlace {
  readonly path: ModulePath;
  readonly directory: string;
  readonly parent: model.Module | undefined;
  readonly call: model.ModuleCall | undefined;
}

/** A module of the tree. The loader fills `children` before it publishes the module. */
export class LoadedModule implements model.Module {
  readonly path: ModulePath;
  readonly directory: string;
  readonly call: model.ModuleCall | undefined;
  readonly parent: model.Module | undefined;
  readonly children: Map<string, LoadedModule> = new Map();
  readonly variables: ReadonlyMap<string, model.Variable>;
  readonly locals: ReadonlyMap<string, model.Local>;
  readonly outputs: ReadonlyMap<string, model.Output>;
  readonly resources: ReadonlyMap<string, model.Resource>;
  readonly actions: ReadonlyMap<string, model.ActionBlock>;
  readonly calls: ReadonlyMap<string, model.ModuleCall>;
  readonly providers: ReadonlyMap<string, model.ProviderBlock>;
  readonly requiredProviders: ReadonlyMap<string, model.RequiredProvider>;
  readonly requiredVersions: readonly model.VersionRequirement[];
  readonly providerMetas: ReadonlyMap<string, model.ProviderMetaBlock>;
  readonly checks: ReadonlyMap<string, model.Check>;
  readonly moved: readonly model.Moved[];
  readonly removed: readonly model.Removed[];
  readonly imports: readonly model.Import[];
  readonly backend: model.BackendBlock | undefined;
  readonly cloud: model.CloudBlock | undefined;
  readonly encryption: model.EncryptionBlock | undefined;
  readonly #providerSources: Map<string, ProviderSource> = new Map();

  constructor(place: ModulePlace, draft: ModuleDraft, cache?: DeclarationCache) {
    const complete = <T extends object>(decoded: object, context: unknown, make: () => T): T =>
      cache === undefined ? make() : cache.completed(decoded, context, make);
    this.path = place.path;
    this.directory = place.directory;
    this.call = place.call;
    this.parent = place.parent;
    this.variables = mapValues(draft.variables, (v) =>
      complete(v, undefined, () => finishVariable(v)),
    );
    this.locals = draft.locals;
    this.outputs = finishOutputs(draft.outputs, complete);
    this.requiredProviders = draft.requiredProviders;
    const providerOf = providerLookup(draft);
    const resources = mapValues(draft.resources, (resource) => {
      const lookup = providerOf(resource);
      return complete(resource, lookup.provider, () => finishResource(resource, lookup));
    });
    this.resources = resources;
    this.actions = mapValues(draft.actions, (action) => {
      const lookup = providerOf(action);
      return complete(action, lookup.provider, () => finishAction(action, lookup));
    });
    this.calls = mapValues(draft.calls, (call) =>
      complete(call, undefined, () => finishCall(call)),
    );
    this.providers = draft.providers;
    this.requiredVersions = draft.requiredVersions;
    this.providerMetas = draft.providerMetas;
    this.checks = mapValues(draft.checks, (check) => {
      const { name, data, asserts, range } = check;
      const resource = data === undefined ? undefined : resources.get(data.addr.text);
      return complete(check, resource, () =>
        resource === undefined
          ? { name, asserts, range }
          : { name, data: resource, asserts, range },
      );
    });
    this.moved = draft.moved;
    this.removed = draft.removed;
    this.imports = draft.imports.map((block) =>
      complete(block, importProvider(block, draft), () => finishImport(block, draft)),
    );
    this.backend = draft.backend;
    this.cloud = draft.cloud;
    this.encryption = draft.encryption;
  }

  providerSource(localName: string): ProviderSource {
    let source = this.#providerSources.get(localName);
    if (source === undefined) {
      source = this.requiredProviders.get(localName)?.source ?? ProviderSource.implied(localName);
      this.#providerSources.set(localName, source);
    }
    return source;
  }
}

function mapValues<T, U>(from: ReadonlyMap<string, T>, f: (item: T) => U): Map<string, U> {
  const result = new Map<string, U>();
  from.forEach((item, key) => result.set(key, f(item)));
  return result;
}

/** Returns a variable with defaults for omitted arguments. */
export function finishVariable(v: DecodedVariable): model.Variable {
  return {
    name: v.name,
    type: v.type ?? DYNAMIC,
    constraint: v.constraint ?? DYNAMIC,
    sensitive: v.sensitive ?? false,
    ephemeral: v.ephemeral ?? false,
    nullable: v.nullable ?? true,
    validations: v.validations,
    parsing: v.parsing ?? 'literal',
    range: v.range,
    ...(v.description === undefined ? {} : { description: v.description }),
    ...(v.const === undefined ? {} : { const: v.const }),
    ...(v.defaults === undefined ? {} : { defaults: v.defaults }),
    ...(v.default === undefined ? {} : { default: v.default }),
    ...deprecation(v),
  };
}

function deprecation({
  deprecated,
  deprecatedRange,
}: Pick<DecodedOutput, 'deprecated' | 'deprecatedRange'>): Pick<
  model.Output,
  'deprecated' | 'deprecatedRange'
> {
  if (deprecated === undefined || deprecatedRange === undefined) return {};
  return { deprecated, deprecatedRange };
}

/** Outputs without a value were reported when decoded. */
function finishOutputs(
  decoded: ReadonlyMap<string, DecodedOutput>,
  complete: (decoded: object, context: unknown, make: () => model.Output) => model.Output,
): Map<string, model.Output> {
  const outputs = new Map<string, model.Output>();
  for (const [name, o] of decoded) {
    const { expression } = o;
    if (expression === undefined) continue;
    outputs.set(
      name,
      complete(o, undefined, () => finishOutput(name, expression, o)),
    );
  }
  return outputs;
}

function finishOutput(name: string, expression: Expression, o: DecodedOutput): model.Output {
  return {
    name,
    expression,
    sensitive: o.sensitive ?? false,
    ephemeral: o.ephemeral ?? false,
    dependsOn: o.dependsOn,
    preconditions: o.preconditions,
    range: o.range,
    ...(o.description === undefined ? {} : { description: o.description }),
    ...(o.constraint === undefined ? {} : { constraint: o.constraint }),
    ...(o.defaults === undefined ? {} : { defaults: o.defaults }),
    ...deprecation(o),
  };
}

/** The provider of a block, with the local name that leads to it. */
type ProviderOfBlock = Pick<model.Resource, 'provider' | 'providerLocal'>;

/**
 * Returns a function that finds the provider of a block: the one that it names, otherwise the one that its type
 * implies. Blocks that imply the same provider share the result.
 */
function providerLookup(
  draft: ModuleDraft,
): (of: Pick<DecodedResource | DecodedAction, 'addr' | 'providerRef'>) => ProviderOfBlock {
  const implied = new Map<string, ProviderOfBlock>();
  return ({ addr, providerRef: ref }) => {
    if (ref !== undefined) return namedProvider(ref, draft);
    const type = addr.impliedProvider;
    let found = implied.get(type);
    if (found === undefined) {
      const name = impliedLocalName(type);
      found = {
        providerLocal: { name, explicit: false },
        provider: draft.providerSource(name),
      };
      implied.set(type, found);
    }
    return found;
  };
}

function namedProvider(ref: model.ProviderRef, draft: ModuleDraft): ProviderOfBlock {
  const { name, alias, key, nameRange: range } = ref;
  return {
    providerLocal: {
      name,
      explicit: true,
      ...(alias === undefined ? {} : { alias }),
      range,
      ...(key === undefined ? {} : { key }),
    },
    provider: draft.providerSource(name),
  };
}

function finishAction(
  a: DecodedAction,
  { provider, providerLocal }: ProviderOfBlock,
): model.ActionBlock {
  return {
    addr: a.addr,
    block: a.block,
    providerLocal,
    provider,
    range: a.range,
    typeRange: a.typeRange,
    ...(a.config === undefined ? {} : { config: a.config }),
    ...(a.count === undefined ? {} : { count: a.count }),
    ...(a.forEach === undefined ? {} : { forEach: a.forEach }),
  };
}

/**
 * Completes a resource. Optional arguments are assigned where they are present: most resources have none of them, and
 * the spread of an empty object for each costs more than all the rest.
 */
function finishResource(
  r: DecodedResource,
  { provider, providerLocal }: ProviderOfBlock,
): model.Resource {
  const resource: { -readonly [Key in keyof model.Resource]: model.Resource[Key] } = {
    addr: r.addr,
    body: r.body,
    hasMetaArguments: providerLocal.key !== undefined || hasMetaArguments(r),
    dependsOn: r.dependsOn,
    providerLocal,
    provider,
    preconditions: r.preconditions,
    postconditions: r.postconditions,
    preventDestroy: r.preventDestroy ?? false,
    ignoreChanges: r.ignoreChanges,
    ignoreAllChanges: r.ignoreAllChanges,
    replaceTriggeredBy: r.replaceTriggeredBy,
    actionTriggers: r.actionTriggers,
    provisioners: r.provisioners,
    range: r.range,
    typeRange: r.typeRange,
  };
  if (r.count !== undefined) resource.count = r.count;
  if (r.forEach !== undefined) resource.forEach = r.forEach;
  if (r.enabled !== undefined) resource.enabled = r.enabled;
  if (r.destroy !== undefined) resource.destroy = r.destroy;
  if (r.preventDestroyExpression !== undefined)
    resource.preventDestroyExpression = r.preventDestroyExpression;
  if (r.createBeforeDestroy !== undefined) resource.createBeforeDestroy = r.createBeforeDestroy;
  if (r.connection !== undefined) resource.connection = r.connection;
  if (r.check !== undefined) resource.check = r.check;
  if (r.list !== undefined) resource.list = r.list;
  return resource;
}

/** See {@link model.Resource.hasMetaArguments}. */
function hasMetaArguments(r: DecodedResource): boolean {
  return (
    r.count !== undefined ||
    r.forEach !== undefined ||
    r.enabled !== undefined ||
    r.preventDestroyExpression !== undefined ||
    r.connection !== undefined ||
    r.list !== undefined ||
    r.dependsOn.length > 0 ||
    r.preconditions.length > 0 ||
    r.postconditions.length > 0 ||
    r.ignoreChanges.length > 0 ||
    r.replaceTriggeredBy.length > 0 ||
    r.actionTriggers.length > 0 ||
    r.provisioners.length > 0
  );
}

function impliedLocalName(name: string): string {
  const normal = parseProviderPart(name);
  return typeof normal === 'string' ? normal : name;
}

function finishCall(c: DecodedModuleCall): model.ModuleCall {
  return {
    name: c.name,
    sourceText: c.sourceText ?? '',
    source: c.source,
    body: c.body,
    dependsOn: c.dependsOn,
    providers: c.providers,
    range: c.range,
    ...(c.sourceRange === undefined ? {} : { sourceRange: c.sourceRange }),
    ...(c.version === undefined ? {} : { version: c.version }),
    ...(c.versionRange === undefined ? {} : { versionRange: c.versionRange }),
    ...(c.count === undefined ? {} : { count: c.count }),
    ...(c.forEach === undefined ? {} : { forEach: c.forEach }),
    ...(c.enabled === undefined ? {} : { enabled: c.enabled }),
    ...(c.ignoreNestedDeprecations === undefined
      ? {}
      : { ignoreNestedDeprecations: c.ignoreNestedDeprecations }),
  };
}

function importProvider(i: DecodedImport, draft: ModuleDraft): ProviderSource {
  return draft.providerSource(
    i.providerRef?.name ?? impliedLocalName(i.toResource.impliedProvider),
  );
}

function finishImport(i: DecodedImport, draft: ModuleDraft): model.Import {
  const ref = i.providerRef;
  return {
    to: i.to,
    toModule: i.toModule,
    toResource: i.toResource,
    provider: importProvider(i, draft),
    range: i.range,
    ...(i.id === undefined ? {} : { id: i.id }),
    ...(i.identity === undefined ? {} : { identity: i.identity }),
    ...(i.forEach === undefined ? {} : { forEach: i.forEach }),
    ...(i.providerRange === undefined ? {} : { providerRange: i.providerRange }),
    ...(ref === undefined
      ? {}
      : {
          providerLocal:
            ref.alias === undefined ? { name: ref.name } : { name: ref.name, alias: ref.alias },
        }),
  };
}
