import { type Body, type Expression, overrideBody, type Range } from '@terrane/hcl';

/** A `key_provider` block. */
export interface KeyProviderBlock {
  readonly type: string;
  readonly name: string;
  /** the name of its metadata in files, if it differs from its address */
  readonly alias?: string | undefined;
  /** the arguments of its type */
  readonly body: Body;
}

/** A `method` block. */
export interface MethodBlock {
  readonly type: string;
  readonly name: string;
  readonly body: Body;
}

/** The encryption of one kind of files; `fallback` is an alternative for reading. */
export interface TargetBlock {
  readonly method?: Expression | undefined;
  /** the range of the block, for a missing method */
  readonly range: Range;
  readonly enforced: boolean;
  readonly fallback?: TargetBlock | undefined;
}

/** An `encryption` block, decoded as to its shape. */
export interface EncryptionConfiguration {
  readonly keyProviders: readonly KeyProviderBlock[];
  readonly methods: readonly MethodBlock[];
  readonly state?: TargetBlock | undefined;
  readonly plan?: TargetBlock | undefined;
  /** the blocks of `remote_state_data_sources` by name, and the default */
  readonly remoteDefault?: TargetBlock | undefined;
  readonly remotes: ReadonlyMap<string, TargetBlock>;
  readonly range: Range;
}

/**
 * Merges two configurations: arguments of key providers and methods individually, targets by method and fallback. A
 * target is enforced if either configuration enforces it.
 */
export function mergeConfigurations(
  base: EncryptionConfiguration,
  over: EncryptionConfiguration,
): EncryptionConfiguration {
  const remotes = new Map(base.remotes);
  for (const [name, target] of over.remotes) {
    const merged = mergeTargets(remotes.get(name), target);
    if (merged !== undefined) remotes.set(name, merged);
  }
  return {
    keyProviders: mergeBlocks(base.keyProviders, over.keyProviders),
    methods: mergeBlocks(base.methods, over.methods),
    state: mergeTargets(base.state, over.state),
    plan: mergeTargets(base.plan, over.plan),
    remoteDefault: mergeTargets(base.remoteDefault, over.remoteDefault),
    remotes,
    range: base.range,
  };
}

function mergeBlocks<B extends MethodBlock>(base: readonly B[], over: readonly B[]): readonly B[] {
  const merged = [...base];
  for (const block of over) {
    const at = merged.findIndex(({ type, name }) => type === block.type && name === block.name);
    const below = merged[at];
    if (below === undefined) merged.push(block);
    else merged[at] = { ...below, body: overrideBody(below.body, block.body) };
  }
  return merged;
}

function mergeTargets(
  base: TargetBlock | undefined,
  over: TargetBlock | undefined,
): TargetBlock | undefined {
  if (base === undefined || over === undefined) return base ?? over;
  return {
    method: over.method ?? base.method,
    range: over.method === undefined ? base.range : over.range,
    enforced: base.enforced || over.enforced,
    fallback: over.fallback ?? base.fallback,
  };
}
