import {
  AbsResource,
  type InstanceAddr,
  quoteHcl,
  ResourceAddr,
  ROOT_INSTANCE,
} from '@terrane/addresses';
import { editHcl, expression } from '@terrane/hcl';

/** The text of a `resource` block, and its type and name. */
export interface FoldableObject {
  readonly type: string;
  readonly name: string;
  readonly resource: string;
}

/** Objects that become the instances of one resource with `for_each`. */
export interface Fold<T extends FoldableObject> {
  readonly type: string;
  readonly name: string;
  readonly members: readonly FoldMember<T>[];
  /** arguments that differ, in the order of the block */
  readonly differing: readonly string[];
  /** true if `each.key` is the value of the only argument that differs */
  readonly byValue: boolean;
}

/** An instance of a resource with `for_each`. */
export interface FoldMember<T extends FoldableObject> {
  readonly object: T;
  readonly key: string;
  readonly address: InstanceAddr;
}

/** Number of arguments in which the instances of one resource may differ. */
const MAX_DIFFERING = 3;
/** Number of groups that an object is compared with, so that the cost is linear. */
const MAX_COMPARED = 20;

interface Block {
  /** equal for blocks that can be instances of one resource */
  readonly signature: string;
  /** arguments on one line, by name */
  readonly attributes: ReadonlyMap<string, string>;
}

interface Group<T> {
  readonly objects: [T, ...T[]];
  readonly first: Block;
  differing: ReadonlySet<string>;
}

/**
 * Groups objects of a type that have the same provider and nested blocks, and differ in few arguments. `usedNames`
 * has the names of resources, as `TYPE.NAME`, and receives those of the groups.
 */
export function foldObjects<T extends FoldableObject>(
  objects: readonly T[],
  usedNames: Set<string>,
): { readonly folds: readonly Fold<T>[]; readonly single: readonly T[] } {
  const bySignature = new Map<string, Group<T>[]>();
  for (const object of objects) {
    const block = blockOf(object.resource);
    const groups = bySignature.get(block.signature) ?? [];
    bySignature.set(block.signature, groups);
    if (!groups.slice(-MAX_COMPARED).some((group) => joins(group, object, block)))
      groups.push({ objects: [object], first: block, differing: new Set() });
  }
  const folds: Fold<T>[] = [];
  const single: T[] = [];
  for (const group of [...bySignature.values()].flat()) {
    if (group.objects.length === 1) single.push(group.objects[0]);
    else folds.push(foldOf(group, usedNames));
  }
  return { folds, single };
}

/** Adds an object to a group, unless more arguments than allowed would differ. */
function joins<T>(group: Group<T>, object: T, { attributes }: Block): boolean {
  const differing = new Set(group.differing);
  for (const name of new Set([...group.first.attributes.keys(), ...attributes.keys()]))
    if (group.first.attributes.get(name) !== attributes.get(name)) differing.add(name);
  if (differing.size > MAX_DIFFERING) return false;
  group.objects.push(object);
  group.differing = differing;
  return true;
}

function foldOf<T extends FoldableObject>(
  { objects, differing }: Group<T>,
  usedNames: Set<string>,
): Fold<T> {
  const [{ type }] = objects;
  const name = groupName(
    type,
    objects.map((each) => each.name),
    usedNames,
  );
  const resource = AbsResource.of(ROOT_INSTANCE, ResourceAddr.of('managed', type, name));
  const [only, ...others] = differing;
  const values = only === undefined || others.length > 0 ? undefined : literals(objects, only);
  return {
    type,
    name,
    members: objects.map((object, index) => {
      const key = values?.[index] ?? object.name;
      return { object, key, address: resource.instance(key) };
    }),
    differing: [...differing],
    byValue: values !== undefined,
  };
}

/** Returns the values of an argument if all are texts and none occurs twice. */
function literals<T extends FoldableObject>(
  objects: readonly T[],
  name: string,
): readonly string[] | undefined {
  const values = objects.map(({ resource }) =>
    literalOf(blockOf(resource).attributes.get(name) ?? ''),
  );
  const texts = values.filter((value) => value !== undefined && value !== '');
  return new Set(texts).size === objects.length ? texts.map(String) : undefined;
}

function literalOf(source: string): string | undefined {
  const value = editHcl(`value = ${source}\n`).get('value');
  return typeof value === 'string' ? value : undefined;
}

/** Returns the text of the resource with `for_each`; `texts` are the blocks of its instances. */
export function foldedText<T extends FoldableObject>(
  { type, name, members, differing, byValue }: Fold<T>,
  texts: readonly string[],
): string {
  const editor = editHcl(texts[0] ?? '');
  const block = editor.block('resource');
  if (block === undefined) throw new TypeError('the text of a fold has no resource block');
  block.setLabels(type, name);
  const { content } = block;
  const [only] = differing;
  const valueOf = (argument: string): string =>
    byValue ? 'each.key' : differing.length === 1 ? 'each.value' : `each.value.${argument}`;
  for (const argument of differing) content.set(argument, expression(valueOf(argument)));
  const isSet = byValue || only === undefined;
  const lines = members.map(({ key }, index) => {
    const { attributes } = blockOf(texts[index] ?? '');
    const source = (argument: string): string => attributes.get(argument) ?? 'null';
    if (only === undefined || byValue) return `    ${quoteHcl(key)},`;
    const value =
      differing.length === 1
        ? source(only)
        : `{ ${differing.map((argument) => `${argument} = ${source(argument)}`).join(', ')} }`;
    return `    ${quoteHcl(key)} = ${value}`;
  });
  const entries = lines.join('\n');
  const collection = isSet ? `toset([\n${entries}\n  ])` : `{\n${entries}\n  }`;
  // The meta-argument comes first, as the style guide of Terraform wants.
  const rest = String(editor);
  const start = rest.indexOf('{') + 1;
  return `${rest.slice(0, start)}\n  for_each = ${collection}\n${rest.slice(start)}`;
}

/** Splits a `resource` block in what has to be equal and what may differ. */
function blockOf(text: string): Block {
  const [block] = editHcl(text).blocks('resource');
  const fixed: string[] = [block?.labels[0] ?? ''];
  const attributes = new Map<string, string>();
  for (const attribute of block?.content.attributes ?? []) {
    const { name, source } = attribute;
    // The value of a meta-argument or of several lines cannot be part of a map.
    if (name === 'provider' || source.includes('\n') || attribute.comment !== undefined)
      fixed.push(`${name} = ${source}`);
    else attributes.set(name, source);
  }
  for (const nested of block?.content.blocks() ?? []) fixed.push(String(nested));
  return { signature: JSON.stringify(fixed), attributes };
}

/** Returns the beginning that the names share, or else the type without its provider. */
function groupName(type: string, names: readonly string[], usedNames: Set<string>): string {
  let shared = names[0] ?? '';
  for (const name of names) while (!name.startsWith(shared)) shared = shared.slice(0, -1);
  const stem = shared.replace(/_?\d*_*$/, '');
  const base = stem.length >= 3 ? stem : type.replace(/^[^_]*_/, '');
  let name = base;
  for (let number = 2; usedNames.has(`${type}.${name}`); number++) name = `${base}_${number}`;
  usedNames.add(`${type}.${name}`);
  return name;
}
