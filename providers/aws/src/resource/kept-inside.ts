import { isUnknown } from '@terrane/provider/sdk';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Keeps prior values of blocks, and of computed arguments in them, where none are configured, at any depth; see
 * `computedBlocks`. Blocks are compared by index.
 */
export function keptInside<P extends object, S extends object, const N extends keyof P & keyof S>(
  { plan, config, state }: { readonly plan: P; readonly config: S; readonly state: S | null },
  ...names: readonly N[]
): { [K in N]?: P[K] } {
  const out: { [K in N]?: P[K] } = {};
  if (state === null) return out;
  // Values in a plan are of the same schema.
  for (const name of names) out[name] = keepInside(plan[name], config[name], state[name]) as P[N];
  return out;
}

function keepInside(planned: unknown, written: unknown, stored: unknown): unknown {
  // Unconfigured values that Amazon does not return stay null.
  if (isUnknown(planned) && written === null) return stored ?? null;
  if (!isList(planned) || !isList(written) || !isList(stored)) return planned;
  if (written.length === 0) return stored.length > 0 && stored.every(isBlock) ? stored : planned;
  return planned.map((each, index) => {
    const [config, state] = [written[index], stored[index]];
    if (!isBlock(each) || !isBlock(config) || !isBlock(state)) return each;
    return Object.fromEntries(
      Object.entries(each).map(([name, value]) => [
        name,
        keepInside(value, config[name], state[name]),
      ]),
    );
  });
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function isBlock(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !isUnknown(value) && !isList(value);
}
