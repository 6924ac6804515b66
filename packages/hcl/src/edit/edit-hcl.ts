import { throwErrors } from '../toolkit/hcl-error.ts';
import { parseHcl, type ParseOptions } from '../toolkit/parse-hcl.ts';
import { BodyNode } from './body-node.ts';
import type { BodyEditor } from './editors.ts';
import { NodeParser } from './parse-nodes.ts';

/**
 * Edits native syntax and preserves all other text byte for byte: `String(editor)` returns the text. Throws an
 * `HclError` for a text with errors.
 */
export function editHcl(text: string, options: ParseOptions = {}): BodyEditor {
  const file = parseHcl(text, options);
  throwErrors(file.diagnostics);
  const newline = text.indexOf('\n');
  const editor = new BodyNode(newline > 0 && text[newline - 1] === '\r' ? '\r\n' : '\n');
  const parser = new NodeParser(text, file.comments);
  editor.fill(undefined, parser.nodes(file.body, 0, text.length, editor));
  return editor;
}
