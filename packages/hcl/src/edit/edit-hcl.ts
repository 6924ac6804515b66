import { throwErrors } from '../toolkit/hcl-error.ts';
import { parseHcl, type ParseOptions } from '../toolkit/parse-hcl.ts';
import { BodyNode } from './body-node.ts';
import type { BodyEditor } from './editors.ts';
import { NodeParser } from './parse-nodes.ts';

/**
 * A text of the native syntax, to be changed in some places and to stay as it is everywhere else,
 * to the byte: `String(editor)` gives the text again. Throws an `HclError` for a text with errors.
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
