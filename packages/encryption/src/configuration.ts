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
  /** the range of the block, for the error about a missing method */
  readonly range: Range;
  readonly enforced: boolean;
  readonly fallback?: TargetBlock | undefined;
}

/** A decoded `encryption` block whose arguments are not evaluated yet. */
export interface EncryptionConfiguration {
  readonly keyProviders: readonly KeyProviderBlock[];
  readonly methods: readonly MethodBlock[];
  readonly state?: TargetBlock | undefined;
  readonly plan?: TargetBlock | undefined;
  /** the `default` block of `remote_state_data_sources` */
  readonly remoteDefault?: TargetBlock | undefined;
  /** the `remote_state_data_source` blocks by name */
  readonly remotes: ReadonlyMap<string, TargetBlock>;
  readonly range: Range;
}

/**
 * Merges two configurations: arguments of key providers and methods individually, targets by method and fallback. A
 * target is enforced if either configuration enforces it.
 */
export function mergeConfigurations(
  base: EncryptionConfiguration,
  override: EncryptionConfiguration,
): EncryptionConfiguration {
  const remotes = new Map(base.remotes);
  for (const [name, target] of override.remotes) {
    const merged = mergeTargets(remotes.get(name), target);
    if (merged !== undefined) remotes.set(name, merged);
  }
  return {
    keyProviders: mergeBlocks(base.keyProviders, override.keyProviders),
    methods: mergeBlocks(base.methods, override.methods),
    state: mergeTargets(base.state, override.state),
    plan: mergeTargets(base.plan, override.plan),
    remoteDefault: mergeTargets(base.remoteDefault, override.remoteDefault),
    remotes,
    range: base.range,
  };
}

function mergeBlocks<B extends MethodBlock>(
  base: readonly B[],
  override: readonly B[],
): readonly B[] {
  const merged = [...base];
  for (const block of override) {
    const index = merged.findIndex(({ type, name }) => type === block.type && name === block.name);
    const baseBlock = merged[index];
    if (baseBlock === undefined) merged.push(block);
    else merged[index] = { ...baseBlock, body: overrideBody(baseBlock.body, block.body) };
  }
  return merged;
}

function mergeTargets(
  base: TargetBlock | undefined,
  override: TargetBlock | undefined,
): TargetBlock | undefined {
  if (base === undefined || override === undefined) return base ?? override;
  return {
    method: override.method ?? base.method,
    range: override.method === undefined ? base.range : override.range,
    enforced: base.enforced || override.enforced,
    fallback: override.fallback ?? base.fallback,
  };
}
