import { parseSync, visitorKeys } from 'oxc-parser';

/** The part of a syntax node that every kind of node has. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** A comment, without its delimiters. */
export interface Comment {
  readonly type: 'Line' | 'Block';
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** The syntax tree and the comments of a TypeScript or JavaScript file. */
export interface Syntax {
  readonly path: string;
  readonly text: string;
  readonly program: Node;
  readonly comments: readonly Comment[];
  /** Returns the one-based line of an offset. */
  readonly lineOf: (offset: number) => number;
}

/** Parses a source file. Throws a `SyntaxError` if the file is not valid TypeScript. */
export function parseSource(path: string, text: string): Syntax {
  const parsed = parseSync(path, text);
  const [error] = parsed.errors;
  if (error !== undefined) throw new SyntaxError(`${path}: ${error.message}`);
  // The parser's types are a union of some 200 kinds; a walk needs only their common shape.
  const program = parsed.program as unknown as Node;
  return { path, text, program, comments: parsed.comments, lineOf: lineIndex(text) };
}

/** Calls `visit` for a node and its descendants, parents first; stops descending where `visit` returns false. */
export function walk(
  node: Node,
  visit: (node: Node, parent: Node | undefined, key: string) => boolean | void,
  parent?: Node,
  key = '',
): void {
  if (visit(node, parent, key) === false) return;
  for (const childKey of visitorKeys[node.type] ?? []) {
    const child = node[childKey];
    if (Array.isArray(child)) {
      for (const item of child) if (isNode(item)) walk(item, visit, node, childKey);
    } else if (isNode(child)) walk(child, visit, node, childKey);
  }
}

/** Reports whether a value is a syntax node. */
export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}

/** Returns the name of an identifier; undefined for every other node. */
export function nameOf(value: unknown): string | undefined {
  if (!isNode(value) || value.type !== 'Identifier') return undefined;
  return typeof value['name'] === 'string' ? value['name'] : undefined;
}

/** Returns the value of a string literal; undefined for every other node. */
export function textOf(value: unknown): string | undefined {
  if (!isNode(value) || value.type !== 'Literal') return undefined;
  return typeof value['value'] === 'string' ? value['value'] : undefined;
}

/** Returns a function that converts an offset to a one-based line. */
export function lineIndex(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? Infinity) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}
