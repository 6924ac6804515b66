// Arguments of backends as JSON.
import { BACKEND_KINDS } from '@terrane/backends';
import { valueFromJson, type Value } from '@terrane/cty';
import { type AttributeSchema, impliedType } from '@terrane/provider';

/** Arguments, some of which are objects; what is not given is null. */
export type Given = Readonly<Record<string, unknown>>;

/** The arguments of a kind of backend as values. */
export async function valuesOf(
  type: string,
  args: Given,
): Promise<Readonly<Record<string, Value>>> {
  const kind = await BACKEND_KINDS.get(type)?.();
  if (kind === undefined) throw new Error(`there is no backend ${type}`);
  const { schema } = kind;
  const blocks = Object.entries(schema.blocks).map(([name, { block, nesting }]) => {
    const of = args[name] ?? (nesting === 'single' ? null : []);
    return [
      name,
      Array.isArray(of) ? of.map((each: Given) => complete(block.attributes, each)) : of,
    ];
  });
  const config = valueFromJson(
    JSON.stringify({ ...complete(schema.attributes, args), ...Object.fromEntries(blocks) }),
    impliedType(schema),
  );
  const names = [...Object.keys(schema.attributes), ...Object.keys(schema.blocks)];
  return Object.fromEntries(names.map((name) => [name, config.attr(name)]));
}

function complete(attributes: Readonly<Record<string, AttributeSchema>>, args: Given): Given {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, { nested }]) => {
      const value = args[name] ?? null;
      return nested === undefined || typeof value !== 'object' || value === null
        ? [name, value]
        : [name, complete(nested.attributes, { ...value })];
    }),
  );
}
