import { quotedText } from '../format/value-tokens.ts';
import { layOutText } from '../format/format.ts';
import type { NativeBody } from '../syntax/native-body.ts';
import { printExpression } from './print-expression.ts';

/**
 * Prints a body in canonical layout, from the tree alone: attributes, then blocks, each in their order. Parsing the
 * result returns the same tree except for positions. Comments are not part of the tree; to keep them, edit the text
 * (`editHcl`) or format it (`formatSource`). Throws a TypeError for a tree with syntax errors.
 */
export function printHcl(body: NativeBody): string {
  const pieces: string[] = [];
  writeBody(body, pieces);
  return layOutText(pieces.join(''));
}

function writeBody(body: NativeBody, pieces: string[]): void {
  for (const { name, expression } of body.attributes.values()) {
    pieces.push(`${name} = ${printExpression(expression)}\n`);
  }
  for (const [i, block] of body.blocks.entries()) {
    if (i > 0 || body.attributes.size > 0) pieces.push('\n');
    pieces.push([block.type, ...block.labels.map(quotedText)].join(' '));
    const { attributes, blocks } = block.body;
    if (attributes.size === 0 && blocks.length === 0) {
      pieces.push(' {}\n');
    } else {
      pieces.push(' {\n');
      writeBody(block.body, pieces);
      pieces.push('}\n');
    }
  }
}
