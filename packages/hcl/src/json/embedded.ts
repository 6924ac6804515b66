// Strings of the JSON syntax hold native syntax: templates where values are expected, references,
// calls and type expressions where those are. Each is parsed once.

import type { Diagnostic, Expression, Traversal } from '../model.ts';
import { Source } from '../source/source.ts';
import { parseExpression, parseTemplate, parseTraversal } from '../syntax/parse.ts';
import type { JsonStringNode } from './nodes.ts';

/** A template parsed from a JSON string, with its diagnostics. */
export interface EmbeddedTemplate {
  readonly expression: Expression;
  readonly diagnostics: readonly Diagnostic[];
}

const templates = new WeakMap<JsonStringNode, EmbeddedTemplate>();
const expressions = new WeakMap<JsonStringNode, { readonly expression: Expression | undefined }>();
const traversals = new WeakMap<JsonStringNode, { readonly traversal: Traversal | undefined }>();

/** Parses a string as a template. Positions are correct unless JSON escapes precede them in the string. */
export function embeddedTemplate(node: JsonStringNode): EmbeddedTemplate {
  let result = templates.get(node);
  if (result === undefined) {
    result = parseTemplate(embeddedSource(node, 1));
    templates.set(node, result);
  }
  return result;
}

/** Parses a string as an expression; undefined if it is not a valid one. */
export function embeddedExpression(node: JsonStringNode): Expression | undefined {
  let result = expressions.get(node);
  if (result === undefined) {
    const { expression, diagnostics } = parseExpression(embeddedSource(node, 0));
    result = { expression: diagnostics.length === 0 ? expression : undefined };
    expressions.set(node, result);
  }
  return result.expression;
}

/** Parses a string as a reference; undefined if it is not a valid one. */
export function embeddedTraversal(node: JsonStringNode): Traversal | undefined {
  let result = traversals.get(node);
  if (result === undefined) {
    const { traversal, diagnostics } = parseTraversal(embeddedSource(node, 0));
    result = { traversal: diagnostics.length === 0 ? traversal : undefined };
    traversals.set(node, result);
  }
  return result.traversal;
}

function embeddedSource(node: JsonStringNode, skip: number): Source {
  const { source, start } = node.range;
  return new Source(source.filename, node.value, { container: source, offset: start + skip });
}
