import { quoteText } from '@terrane/cty';
import { JsonBody } from '../json/json-body.ts';
import { parseJsonSyntax } from '../json/json-parser.ts';
import type { JsonSyntaxNode } from '../json/nodes.ts';
import type { Body } from '../model.ts';
import { lastStartingBy, type Source } from '../source/source.ts';
import { NativeBody } from '../syntax/native-body.ts';
import { parseNative } from '../syntax/parse.ts';

/** The bodies of files with errors. */
const bodies = new WeakMap<Source, Body>();

/** Returns the body of a file. It is parsed again, once, since only errors need it. */
function bodyOf(source: Source): Body {
  let body = bodies.get(source);
  if (body === undefined) {
    body = source.filename.endsWith('.json')
      ? parseJsonSyntax(source).body
      : parseNative(source).body;
    bodies.set(source, body);
  }
  return body;
}

/**
 * Returns the context of an offset: the header of the enclosing top-level block, or the path in a JSON file; undefined
 * if there is neither.
 */
export function contextOf(source: Source, offset: number): string | undefined {
  // The preceding character, so that a position directly after a block is still in it.
  const at = offset - 1;
  const body = bodyOf(source);
  if (body instanceof JsonBody) {
    return jsonContext(body.node, at);
  }
  if (!(body instanceof NativeBody)) {
    return undefined;
  }
  const { blocks } = body;
  const block =
    blocks[lastStartingBy(blocks.length, (index) => blocks[index]?.range.start ?? 0, at)];
  return block === undefined || at < block.range.start || at >= block.range.end
    ? undefined
    : [block.type, ...block.labels.map((label) => quoteText(label))].join(' ');
}

function jsonContext(root: JsonSyntaxNode, offset: number): string | undefined {
  const steps: string[] = [];
  for (let node: JsonSyntaxNode | undefined = root; node !== undefined;) {
    node = childAt(node, offset, steps);
  }
  const path = steps.join('').replace(/^\./, '');
  return path === '' ? undefined : path;
}

function childAt(
  node: JsonSyntaxNode,
  offset: number,
  steps: string[],
): JsonSyntaxNode | undefined {
  if (node.kind === 'object') {
    const { properties } = node;
    const startOf = (index: number): number => properties[index]?.value.range.start ?? 0;
    const property = properties[lastStartingBy(properties.length, startOf, offset)];
    if (property === undefined || !isInside(property.value, offset)) return undefined;
    steps.push(`.${property.name}`);
    return property.value;
  }
  if (node.kind === 'array') {
    const { elements } = node;
    const startOf = (at: number): number => elements[at]?.range.start ?? 0;
    const index = lastStartingBy(elements.length, startOf, offset);
    const element = elements[index];
    if (element === undefined || !isInside(element, offset)) return undefined;
    steps.push(`[${index}]`);
    return element;
  }
  return undefined;
}

function isInside(node: JsonSyntaxNode, offset: number): boolean {
  const { start, end } = node.range;
  return (node.kind === 'object' || node.kind === 'array') && offset >= start && offset < end;
}
