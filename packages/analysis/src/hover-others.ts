import type { AnalysisContext } from './analysis-context.ts';
import { signatureText } from './completion/completion-item.ts';
import { attributeLines, blockLines, code } from './hover-text.ts';
import { jsonCursor } from './json-cursor.ts';
import { jsonPlace } from './json-place.ts';
import { ownProperty, type SchemaLookup } from './schema-lookup.ts';
import type { SourceDocument } from './source-document.ts';
import type { Span } from './symbol.ts';
import { isInsideTemplate, templateVariables } from './template-variables.ts';

interface Hover {
  readonly markdown: string;
  readonly span: Span;
}

/** Documentation of the key at an offset of a JSON file. */
export function jsonHover(
  lookup: SchemaLookup,
  { kind: { role }, text }: SourceDocument,
  offset: number,
): Hover | undefined {
  const { position, path, typed, isQuoted } = jsonCursor(text, offset);
  if (position !== 'key' || !isQuoted) return undefined;
  const span = { start: typed.start + 1, end: typed.end - 1 };
  const name = text.slice(span.start, span.end);
  const place = jsonPlace(lookup, role, path);
  if (place === undefined) return undefined;
  const { blocks, label } = place;
  if (label !== undefined) {
    const block = label.index === 0 ? lookup.resource(label.block, name)?.block : undefined;
    return block && { markdown: blockLines(`${label.block} "${name}"`, block), span };
  }
  const language = blocks.length === 0 ? lookup.languageBlock(role, name) : undefined;
  if (language !== undefined) {
    const head = [name, ...language.labels.map((each) => `"${each}"`)].join(' ');
    return { markdown: `${code(head)}\n\n${language.description}`, span };
  }
  const schema = lookup.blockSchema(role, blocks);
  const attribute = ownProperty(schema?.attributes ?? {}, name);
  if (attribute !== undefined)
    return { markdown: attributeLines(name, attribute).join('\n\n'), span };
  const nested = ownProperty(schema?.blocks ?? {}, name)?.block;
  return nested && { markdown: blockLines(name, nested), span };
}

/** The function or variable at an offset of a template file. */
export function templateHover(
  { functions, project }: AnalysisContext,
  document: SourceDocument,
  offset: number,
): Hover | undefined {
  const { text } = document;
  if (!isInsideTemplate(text.slice(0, offset))) return undefined;
  const [before = ''] = /[\p{ID_Continue}-]*$/u.exec(text.slice(0, offset)) ?? [];
  const [after = ''] = /^[\p{ID_Continue}-]*/u.exec(text.slice(offset)) ?? [];
  const name = before + after;
  const span = { start: offset - before.length, end: offset + after.length };
  if (text[span.end] === '(') {
    const signature = functions.find((each) => each.name === name);
    return (
      signature && {
        markdown: `${code(signatureText(signature))}\n\n${signature.description}`,
        span,
      }
    );
  }
  if (text[span.start - 1] === '.' || !templateVariables(project, document).includes(name))
    return undefined;
  return { markdown: `${code(name)}\n\nVariable that \`templatefile\` passes.`, span };
}
