type Elements = readonly unknown[];

/**
 * Keeps blocks that Amazon computes if none are configured. For `plan`: `plan: (planning) => computedBlocks(planning,
 * 'setting')`.
 */
export function computedBlocks<S extends object, const N extends keyof S>(
  { config, state }: { readonly config: S; readonly state: S | null },
  ...names: readonly N[]
): { [K in N]?: S[K] } {
  const kept: { [K in N]?: S[K] } = {};
  for (const name of names) {
    if (state !== null && isNone(config[name]) && !isNone(state[name])) kept[name] = state[name];
  }
  return kept;
}

function isNone(blocks: unknown): boolean {
  return Array.isArray(blocks) && (blocks satisfies Elements).length === 0;
}
