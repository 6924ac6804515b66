import type { AttributeSchema, BlockSchema, NestedBlock } from '@terrane/provider';

/** The sensitive parts of a value: `true` for all of it, or the parts by attribute name. */
export type SensitivePart = true | SensitiveTree;

/** The sensitive parts of an object, or of each object of a collection. */
export interface SensitiveTree {
  readonly parts: Readonly<Record<string, SensitivePart>>;
  /** true for a list, set or map of such objects */
  readonly each?: true;
}

/** Returns the sensitive parts of a schema; undefined if there are none. */
export function sensitiveTree(
  block: Pick<BlockSchema, 'attributes'> & Partial<Pick<BlockSchema, 'blocks'>>,
  nesting: NestedBlock['nesting'] = 'single',
): SensitiveTree | undefined {
  const parts: [string, SensitivePart][] = [];
  for (const [name, attribute] of Object.entries(block.attributes)) {
    const part = attributePart(attribute);
    if (part !== undefined) parts.push([name, part]);
  }
  for (const [name, nested] of Object.entries(block.blocks ?? {})) {
    const part = sensitiveTree(nested.block, nested.nesting);
    if (part !== undefined) parts.push([name, part]);
  }
  if (parts.length === 0) return undefined;
  const isObject = nesting === 'single' || nesting === 'group';
  return { parts: Object.fromEntries(parts), ...(isObject ? {} : { each: true }) };
}

function attributePart(attribute: AttributeSchema): SensitivePart | undefined {
  if (attribute.sensitive === true || attribute.writeOnly === true) return true;
  const { nested } = attribute;
  return nested && sensitiveTree(nested, nested.nesting);
}

/** Returns the sensitive parts inside a member of a value; undefined if there are none. */
export function sensitiveMember(
  part: SensitivePart | undefined,
  name: string | number,
): SensitivePart | undefined {
  if (part === undefined || part === true) return part;
  if (part.each === true) return { parts: part.parts };
  return typeof name === 'string' && Object.hasOwn(part.parts, name) ? part.parts[name] : undefined;
}
