import { isUnknown } from '@terrane/provider/sdk';

type Elements = readonly unknown[];

/**
 * Blocks that Amazon fills where none are written, as they are: they make no difference then. For `plan`:
 * `plan: (planning) => computedBlocks(planning, 'setting')`.
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

/**
 * The blocks of a set as they are, where the plan says the same of each and only does not know what Amazon gives: what
 * has defaults inside them is not recognized otherwise. Undefined: they differ.
 */
export function keptBlocks<E>(planned: unknown, stored: readonly E[]): readonly E[] | undefined {
  if (!Array.isArray(planned) || planned.length !== stored.length) return undefined;
  const left: unknown[] = [...planned];
  for (const each of stored) {
    const at = left.findIndex((other) => saysTheSame(other, each));
    if (at < 0) return undefined;
    left.splice(at, 1);
  }
  return stored;
}

function saysTheSame(planned: unknown, stored: unknown): boolean {
  if (isUnknown(planned)) return true;
  if (isNothing(planned) && isNothing(stored)) return true;
  if (Array.isArray(planned) && Array.isArray(stored)) {
    return (
      planned.length === stored.length &&
      planned.every((each, index) => saysTheSame(each, stored[index]))
    );
  }
  if (isObject(planned) && isObject(stored)) {
    const names = new Set([...Object.keys(planned), ...Object.keys(stored)]);
    return [...names].every((name) => saysTheSame(planned[name], stored[name]));
  }
  return planned === stored;
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined || value === '' || value === false || value === 0;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
