import type { AnalysisContext } from '../analysis-context.ts';
import type { CursorContext } from '../cursor-context.ts';
import { type JsonCursor, jsonCursor } from '../json-cursor.ts';
import { jsonPlace } from '../json-place.ts';
import type { SourceDocument } from '../source-document.ts';
import type { Span } from '../symbol.ts';
import { isInsideTemplate } from '../template-variables.ts';
import { bodyItems } from './body-items.ts';
import type { CompletionItem } from './completion-item.ts';
import { CompletionSite } from './completion-site.ts';
import { labelItems } from './label-items.ts';
import { valueItems } from './value-items.ts';

/** Keys of objects, and references in strings, of the JSON syntax. */
export function jsonItems(
  context: AnalysisContext,
  document: SourceDocument,
  offset: number,
): readonly CompletionItem[] {
  const json = jsonCursor(document.text, offset);
  if (json.position === undefined) return [];
  const typed = { start: json.isQuoted ? json.typed.start + 1 : json.typed.start, end: offset };
  const siteWith = (
    surroundings: Partial<CursorContext> & Pick<CursorContext, 'position'>,
  ): CompletionSite => {
    const cursor: CursorContext = {
      blocks: [],
      argument: undefined,
      valueStart: undefined,
      nesting: [],
      typed,
      ...surroundings,
    };
    return new CompletionSite(context, document, offset, cursor);
  };
  const place = jsonPlace(
    siteWith({ position: { kind: 'item' } }).lookup,
    document.kind.role,
    json.path,
  );
  if (place === undefined) return [];
  const { blocks, label } = place;
  if (json.position === 'key') {
    const items =
      label === undefined
        ? bodyItems(siteWith({ blocks, position: { kind: 'item' } }))
        : labelItems(siteWith({ blocks, position: { kind: 'label', isQuoted: true, ...label } }), {
            kind: 'label',
            isQuoted: true,
            ...label,
          });
    const usedKeys = new Set(json.usedKeys);
    return items.flatMap((item) =>
      item.label === 'dynamic' || usedKeys.has(item.label)
        ? []
        : [keyItem(item, json, label !== undefined)],
    );
  }
  if (label !== undefined || !json.isQuoted || json.key === undefined) return [];
  const isExpression =
    isInsideTemplate(document.text.slice(typed.start, offset)) || REFERENCES.has(json.key);
  if (!isExpression) return [];
  const site = siteWith({ blocks, argument: json.key, position: { kind: 'value' } });
  // Quotes of a snippet would end the string.
  return valueItems(site).filter(({ insert }) => !insert.includes('"'));
}

/** Arguments whose strings are references or keywords rather than templates. */
const REFERENCES: ReadonlySet<string> = new Set([
  'provider',
  'providers',
  'depends_on',
  'ignore_changes',
  'replace_triggered_by',
  'from',
  'to',
  'type',
]);

/** Converts a completion item to one that inserts a JSON key. */
function keyItem(
  item: CompletionItem,
  { typed, isQuoted }: JsonCursor,
  isLabel: boolean,
): CompletionItem {
  const isObject = isLabel || item.kind === 'block';
  const key = JSON.stringify(item.label);
  // A closed string may already have a value.
  const insert = isQuoted ? key : `${key.replaceAll('$', '\\$')}: ${isObject ? '{$1}' : '$1'}`;
  const span: Span = typed;
  const { isSnippet: _native, ...shown } = item;
  return { ...shown, insert, span, ...(isQuoted ? {} : { isSnippet: true as const }) };
}
