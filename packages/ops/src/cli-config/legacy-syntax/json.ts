import { parseJsonValue, Source, type JsonSyntaxNode } from '@terrane/hcl';
import { type Item, LegacySyntaxError, type Node, type ObjectNode } from './node.ts';

/**
 * Parses a file in the JSON form of HCL 1, where objects that contain only objects become labels of blocks. Throws a
 * LegacySyntaxError.
 */
export function parseJson(text: string): readonly Item[] {
  const { node, diagnostics } = parseJsonValue(new Source('', text));
  const [problem] = diagnostics;
  if (problem !== undefined) {
    const at = problem.subject?.from;
    const place = at === undefined ? '' : `${at.line}:${at.column}: `;
    throw new LegacySyntaxError(`${place}${problem.summary}: ${problem.detail}`);
  }
  const read = nodeOf(node);
  return read?.kind === 'object' ? flattened(read.items) : [];
}

function nodeOf(node: JsonSyntaxNode): Node | undefined {
  const place = undefined;
  switch (node.kind) {
    case 'string':
      return { kind: 'literal', type: 'string', value: node.value, place };
    case 'null':
      return { kind: 'literal', type: 'string', value: '', place };
    case 'boolean':
      return { kind: 'literal', type: 'bool', value: String(node.value), place };
    case 'number': {
      const value = node.range.text();
      return { kind: 'literal', type: /^-?\d+$/.test(value) ? 'number' : 'float', value, place };
    }
    case 'array': {
      // HCL 1 passes over bools and lists within lists.
      const elements = node.elements.flatMap((each) =>
        each.kind === 'boolean' || each.kind === 'array' ? [] : (nodeOf(each) ?? []),
      );
      return { kind: 'list', elements, place };
    }
    case 'object': {
      const items = node.properties.flatMap(({ name, value }) => {
        const read = nodeOf(value);
        return read === undefined
          ? []
          : [{ keys: [{ text: name, place }], assigned: true, value: read }];
      });
      return { kind: 'object', items, place };
    }
    case 'invalid':
      return undefined;
  }
}

/** Objects of objects, and lists of objects, as several items each; from the outside to the inside. */
function flattened(items: readonly Item[]): readonly Item[] {
  return items.flatMap(flattenedItem).map((item) => ({ ...item, value: within(item.value) }));
}

function within(value: Node): Node {
  switch (value.kind) {
    case 'object':
      return { ...value, items: flattened(value.items) };
    case 'list':
      return { ...value, elements: value.elements.map(within) };
    case 'literal':
      return value;
  }
}

function flattenedItem(item: Item): readonly Item[] {
  const { value } = item;
  if (value.kind === 'literal') return [item];
  if (value.kind === 'list') {
    const { elements } = value;
    if (elements.length === 0 || elements.some(({ kind }) => kind !== 'object')) return [item];
    return elements.flatMap((each) => flattenedItem({ ...item, value: each }));
  }
  return flattenedObject(item, value);
}

function flattenedObject(item: Item, { items }: ObjectNode): readonly Item[] {
  if (items.length === 0 || items.some(({ value }) => value.kind !== 'object')) return [item];
  return items.flatMap(({ keys, value }) =>
    flattenedItem({ ...item, keys: [...item.keys, ...keys], value }),
  );
}
