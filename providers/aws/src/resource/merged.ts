import { isUnknown } from '@terrane/provider/sdk';
import type { Fields } from './fields.ts';
import { mergedBlocks } from './merged-blocks.ts';
import type { AwsResourceOptions } from './resource-options.ts';
import type { Attributes, Blocks } from '@terrane/provider/sdk';

type Schema = Pick<AwsResourceOptions<Attributes, Blocks, unknown>, 'attributes' | 'blocks'>;

/**
 * An object as it was, with what was read. What Amazon says nothing of, and what it says is empty, stays null where it
 * was null, unless it is computed or has a default: the configuration does not tell the two apart.
 */
export function merged({ attributes, blocks = {} }: Schema, before: Fields, read: Fields): Fields {
  const out: Record<string, unknown> = { ...before };
  for (const [name, value = null] of Object.entries(read)) {
    const was = before[name] ?? null;
    const definition = attributes[name]?.definition;
    if (definition === undefined && blocks[name] === undefined) {
      throw new TypeError(`the schema has no ${name}`);
    }
    const block = blocks[name]?.definition;
    if (definition === undefined) out[name] = block && mergedBlocks(block, was, value);
    else if (isEmpty(was) && isEmpty(value)) {
      const open = definition.computed === true || definition.default !== undefined;
      out[name] = was === null && open ? value : was;
    } else out[name] = value;
  }
  return out;
}

/** Null, or what the older SDK does not tell from it. */
export function isEmpty(value: unknown): boolean {
  if (value === null || value === '' || value === 0 || value === false) return true;
  return typeof value === 'object' && !isUnknown(value) && Object.keys(value).length === 0;
}

/** What is known of a plan; null stands for the rest. */
export function knownOf(plan: Fields): Fields {
  return Object.fromEntries(
    Object.entries(plan).map(([name, value]) => [name, knownIn(value)] as const),
  );
}

function knownIn(value: unknown): unknown {
  if (isUnknown(value) || value === undefined) return null;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(knownIn);
  return knownOf(Object.fromEntries(Object.entries(value)));
}

/** A member that is text, and neither empty nor unknown. */
export function textIn(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A member that is a map of texts; what is unknown in it is left out. */
export function textsIn(fields: Fields, name: string): Readonly<Record<string, string>> {
  const value = fields[name];
  if (typeof value !== 'object' || value === null || isUnknown(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  );
}
