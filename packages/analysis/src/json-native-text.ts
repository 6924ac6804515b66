import { type Expression, type JsonSyntaxNode, scanTokens, Source, Token } from '@terrane/hcl';
import { sourceText } from './hover.ts';

/** Returns the text of an expression in native syntax, from either syntax. */
export function nativeText(expression: Expression): string {
  return expression.kind === 'json' ? nodeText(expression.node) : sourceText(expression);
}

/** Strings of JSON are templates, also as names of properties. */
function nodeText(node: JsonSyntaxNode): string {
  switch (node.kind) {
    case 'string':
      return templateText(node.value);
    case 'array':
      return `[${node.elements.map(nodeText).join(', ')}]`;
    case 'object': {
      const members = node.properties.map(
        ({ name, value }) => `(${templateText(name)}) = ${nodeText(value)}`,
      );
      return `{ ${members.join(', ')} }`;
    }
    case 'number':
    case 'boolean':
    case 'null':
      return node.range.source.text.slice(node.range.start, node.range.end);
    case 'invalid':
      return 'null';
  }
}

/** Returns a quoted template; one that is a single interpolation keeps the type of its value. */
function templateText(template: string): string {
  const tokens = scanTokens(new Source('<template>', template), 'template');
  let text = '';
  let depth = 0;
  for (let index = 0; index < tokens.length; index++) {
    const type = tokens.type(index);
    const part = template.slice(tokens.starts[index], tokens.ends[index]);
    if (type === Token.TemplateInterp || type === Token.TemplateControl) depth++;
    text += type === Token.StringLit && depth === 0 ? escaped(part) : part;
    if (type === Token.TemplateSeqEnd) depth--;
    else if (depth > 0 && tokens.starts[index + 1] !== tokens.ends[index])
      text += template.slice(tokens.ends[index], tokens.starts[index + 1]);
  }
  return `"${text}"`;
}

/** Escapes a literal part of a template for a quoted one; `$${` and `%%{` mean the same in both. */
function escaped(literal: string): string {
  return JSON.stringify(literal).slice(1, -1);
}
