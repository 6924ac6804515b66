import { isEmpty } from './empty.ts';
import type { Fields } from './fields.ts';
import { type AttributeDefinition, schemaIn, type SchemaParts } from './schema-of.ts';

/**
 * Returns a plan in which unset arguments are null, at any depth, as requests need it: plans contain the empty values
 * of states. Elements of lists are compared by index, those of sets by content.
 */
export function asWritten(schema: SchemaParts, plan: Fields, config: Fields): Fields {
  const out: Record<string, unknown> = { ...plan };
  for (const [name, definition] of Object.entries(schema.attributes)) {
    if (isOpen(definition) && isNothing(config[name]) && isEmpty(plan[name])) out[name] = null;
  }
  for (const [name, block] of Object.entries(schema.blocks)) {
    const [planned, written] = [plan[name], config[name]];
    if (!isBlocks(planned) || !isBlocks(written)) continue;
    const inner = schemaIn(block);
    const candidates = [...written];
    out[name] = planned.map((each, index) => {
      const at =
        block.nesting === 'set'
          ? candidates.findIndex((candidate) => fits(inner, each, candidate))
          : index;
      const match = candidates[at];
      if (match === undefined) return each;
      if (block.nesting === 'set') candidates.splice(at, 1);
      return asWritten(inner, each, match);
    });
  }
  return out;
}

/** Tests whether an argument has a value only if one is configured. */
function isOpen({ optional, computed, default: defaultValue }: AttributeDefinition): boolean {
  return optional === true && computed !== true && defaultValue === undefined;
}

/** Tests whether a planned block corresponds to a configured one. */
function fits(schema: SchemaParts, planned: Fields, written: Fields): boolean {
  const attributes = Object.entries(schema.attributes).every(
    ([name, { computed, default: defaultValue }]) => {
      const [configured, value] = [written[name], planned[name]];
      if (isNothing(configured) && (computed === true || defaultValue !== undefined)) return true;
      return (isEmpty(configured ?? null) && isEmpty(value ?? null)) || isSame(configured, value);
    },
  );
  return (
    attributes &&
    Object.entries(schema.blocks).every(([name, block]) => {
      const [all, configuredElements] = [planned[name], written[name]];
      if (!isBlocks(all) || !isBlocks(configuredElements)) return true;
      const inner = schemaIn(block);
      return (
        all.length === configuredElements.length &&
        all.every((each) => configuredElements.some((other) => fits(inner, each, other)))
      );
    })
  );
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined;
}

function isBlocks(value: unknown): value is readonly Fields[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'object' && each !== null);
}
