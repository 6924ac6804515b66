import { Source } from '../source/source.ts';
import { scanTokens } from '../syntax/scanner.ts';
import { Token } from '../syntax/tokens.ts';
import type { EditedItem, EditNode } from './nodes.ts';

/** Changes the indentation of an item. Lines of heredocs are unchanged, because their white space is significant. */
export function setIndent(item: EditedItem, indent: string): void {
  if (item.indent !== indent) shift(item, item.indent, indent);
}

function shift(node: EditNode, old: string, indent: string): void {
  if (node.kind === 'gap') {
    node.text = shiftLines(node.text, old, indent).replace(/\n[ \t]+$/, '\n');
    return;
  }
  node.patch({ lead: shiftLines(node.texts.lead, old, indent) });
  if (node.kind === 'attribute') {
    node.patch({ value: shiftSource(node.source, old, indent) });
    return;
  }
  if (!node.isSingleLine) {
    for (const inner of node.content.nodes) shift(inner, old, indent);
    node.patch({ close: shiftLines(node.texts.close, old, indent) });
  }
}

/** The last line may consist only of the indentation of the next item. */
function shiftLines(text: string, old: string, indent: string): string {
  const lines = text.split('\n');
  return lines
    .map((line, i) => {
      const isEmpty = line.trim() === '' && i < lines.length - 1;
      return !isEmpty && line.startsWith(old) ? indent + line.slice(old.length) : line;
    })
    .join('\n');
}

function shiftSource(source: string, old: string, indent: string): string {
  if (!source.includes('\n')) return source;
  const tokens = scanTokens(new Source('', source));
  let result = '';
  let at = 0;
  for (let i = 0; i < tokens.length; i++) {
    const end = tokens.ends[i] ?? 0;
    const type = tokens.types[i];
    if (type !== Token.Newline && type !== Token.Comment) continue;
    if (source.charCodeAt(end - 1) !== 0x0a || !source.startsWith(old, end)) continue;
    const next = source.charCodeAt(end + old.length);
    if (next === 0x0a || next === 0x0d) continue;
    result += source.slice(at, end) + indent;
    at = end + old.length;
  }
  return result + source.slice(at);
}
