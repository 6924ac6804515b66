import { ProviderConfigAddr, type ProviderSource } from '@terrane/addresses';
import { hasErrors, type Expression, type Range } from '@terrane/hcl';
import type {
  Configuration,
  LocalProviderRef,
  Module,
  ProviderBlock,
  ProviderRef,
} from './model.ts';

/**
 * Resolves a local provider name in a module to its configuration: the module's own block, otherwise the one the call
 * passes, otherwise for default configurations the parent's of the same provider; finally the root's, which may be
 * implicit. An undeclared aliased configuration resolves to the module itself.
 */
export function resolveProvider(
  _configuration: Configuration,
  module: Module,
  local: LocalProviderRef,
): ProviderConfigAddr {
  return resolveProviderKey(module, local).address;
}

/** The range of a provider instance key. */
export interface ProviderKey {
  readonly expression: Expression;
  /** the module whose call passes the instance; undefined: the resource names it itself */
  readonly through: Module | undefined;
}

interface ResolvedProvider {
  readonly address: ProviderConfigAddr;
  readonly key?: ProviderKey;
}

/** Resolved local names without keys by module: many resources of a module have the same, and each is resolved often. */
const resolved = new WeakMap<Module, Map<string, ResolvedProvider>>();

/** Variant of {@link resolveProvider} that also returns the key expression of a configuration with `for_each`. */
export function resolveProviderKey(
  module: Module,
  local: LocalProviderRef & { readonly key?: Expression },
): ResolvedProvider {
  if (local.key !== undefined) return resolveUncached(module, local);
  let ofModule = resolved.get(module);
  if (ofModule === undefined) resolved.set(module, (ofModule = new Map()));
  const name = local.alias === undefined ? local.name : `${local.name}.${local.alias}`;
  let result = ofModule.get(name);
  if (result === undefined) ofModule.set(name, (result = resolveUncached(module, local)));
  return result;
}

function resolveUncached(
  module: Module,
  local: LocalProviderRef & { readonly key?: Expression },
): ResolvedProvider {
  let wanted: ProviderKey | undefined;
  if (local.key !== undefined) wanted = { expression: local.key, through: undefined };
  let at = module;
  // Modules may use different names for a provider, and need not declare one that only their child modules use.
  let source = module.providerSource(local.name);
  let { alias } = local;
  for (;;) {
    const parent = at.parent;
    if (parent === undefined) break;
    const declared = blockIn(at, source, alias);
    const passed = passedTo(at, source, alias);
    // An empty block is legacy syntax for a configuration that is passed in.
    if (declared !== undefined && (passed === undefined || !isEmptyBlock(declared))) break;
    if (passed !== undefined) {
      const { name, key: expression } = passed;
      source = parent.providerSource(name);
      alias = passed.alias;
      if (expression !== undefined) wanted = { expression, through: at };
    } else if (alias !== undefined) break;
    at = parent;
  }
  const address = ProviderConfigAddr.of(at.path, source, alias);
  return wanted === undefined ? { address } : { address, key: wanted };
}

function isEmptyBlock(block: ProviderBlock): boolean {
  return !hasErrors(block.body.content({ attributes: [], blocks: [] }).diagnostics);
}

/** Returns the provider block of an address, if there is one. */
export function providerBlockOf(
  configuration: Configuration,
  address: ProviderConfigAddr,
): { readonly module: Module; readonly block: ProviderBlock } | undefined {
  const module = configuration.modules.get(address.module.text);
  if (module === undefined) return undefined;
  const block = blockIn(module, address.provider, address.alias);
  return block === undefined ? undefined : { module, block };
}

/** The block that configures a provider in a module. */
function blockIn(
  module: Module,
  source: ProviderSource,
  alias: string | undefined,
): ProviderBlock | undefined {
  if (module.providers.size === 0) return undefined;
  for (const block of module.providers.values()) {
    if (block.alias === alias && module.providerSource(block.name) === source) return block;
  }
  return undefined;
}

/** Returns the provider configuration that a module call passes for a provider. */
function passedTo(
  module: Module,
  source: ProviderSource,
  alias: string | undefined,
): ProviderRef | undefined {
  return module.call?.providers?.find(
    ({ inChild }) => inChild.alias === alias && module.providerSource(inChild.name) === source,
  )?.inParent;
}

/** Returns every required provider, with its constraints and their ranges, and whether its host is explicit. */
export function providersRequired(configuration: Configuration): ReadonlyMap<
  ProviderSource,
  {
    readonly constraints: readonly string[];
    readonly ranges: readonly (Range | undefined)[];
    readonly explicitHost: boolean;
  }
> {
  const required = new Map<
    ProviderSource,
    { constraints: string[]; ranges: (Range | undefined)[]; explicitHost: boolean }
  >();
  const need = (
    source: ProviderSource,
    constraint?: string,
    range?: Range,
    explicitHost = false,
  ): void => {
    let entry = required.get(source);
    if (entry === undefined) {
      entry = { constraints: [], ranges: [], explicitHost: false };
      required.set(source, entry);
    }
    if (constraint !== undefined && constraint !== '') {
      entry.constraints.push(constraint);
      entry.ranges.push(range);
    }
    if (explicitHost) entry.explicitHost = true;
  };
  for (const module of configuration.modules.values()) {
    for (const requirement of module.requiredProviders.values()) {
      need(
        requirement.source,
        requirement.constraint,
        requirement.constraintRange,
        requirement.explicitHost,
      );
    }
    for (const resource of module.resources.values()) need(resource.provider);
    for (const action of module.actions.values()) need(action.provider);
    for (const importBlock of module.imports) {
      if (importBlock.toModule.isRoot && !module.resources.has(importBlock.toResource.text))
        need(importBlock.provider);
    }
    for (const block of module.providers.values()) {
      need(module.providerSource(block.name), block.version, block.versionRange);
    }
  }
  return required;
}
