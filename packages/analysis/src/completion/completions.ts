import type { AnalysisContext } from '../analysis-context.ts';
import type { SourceDocument } from '../source-document.ts';
import { bodyItems } from './body-items.ts';
import type { CompletionItem, Completions } from './completion-item.ts';
import { CompletionSite } from './completion-site.ts';
import { jsonItems } from './json-items.ts';
import { labelItems } from './label-items.ts';
import { isMatch, MAX_DESCRIBED } from './match.ts';
import { templateItems } from './template-items.ts';
import { keyItems, textItems, valueItems } from './value-items.ts';

/** The maximum number of items of one answer. */
const MAX_ITEMS = 1000;

/** Returns the completion proposals at an offset of a document. */
export function completionsAt(
  context: AnalysisContext,
  document: SourceDocument,
  offset: number,
): Completions {
  const items = itemsIn(context, document, offset);
  const typed = document.text.slice(0, offset);
  const matching = items.filter(({ label, span }) =>
    isMatch(label, typed.slice(span.start, offset).replace(/^"/, '')),
  );
  // Types are limited to those with descriptions; the list grows as the user types more.
  const limit = matching[0]?.kind === 'type' ? MAX_DESCRIBED : MAX_ITEMS;
  return { items: matching.slice(0, MAX_ITEMS), isIncomplete: matching.length > limit };
}

function itemsIn(
  context: AnalysisContext,
  document: SourceDocument,
  offset: number,
): readonly CompletionItem[] {
  switch (document.kind.syntax) {
    case 'native':
      return itemsAt(new CompletionSite(context, document, offset));
    case 'json':
      return jsonItems(context, document, offset);
    case 'template':
      return templateItems(context, document, offset);
  }
}

function itemsAt(site: CompletionSite): readonly CompletionItem[] {
  const { position } = site.cursor;
  switch (position.kind) {
    case 'comment':
      return [];
    case 'text':
      return textItems(site);
    case 'item':
      return bodyItems(site);
    case 'label':
      return labelItems(site, position);
    case 'key':
      return keyItems(site);
    case 'value':
      return valueItems(site);
  }
}
