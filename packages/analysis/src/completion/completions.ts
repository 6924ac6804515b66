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

/** The maximum number of types in one answer. */
const MAX_TYPES = 1000;
/** The maximum number of other items in one answer. */
const MAX_ITEMS = 500;

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
  if (matching[0]?.kind === 'type')
    return { items: matching.slice(0, MAX_TYPES), isIncomplete: matching.length > MAX_DESCRIBED };
  return { items: shareOf(matching, MAX_ITEMS), isIncomplete: matching.length > MAX_ITEMS };
}

/**
 * Returns at most `limit` items, so that groups with many items leave room for the others: variables, local values,
 * objects and functions are all offered in a module that declares thousands of one of them.
 */
function shareOf(items: readonly CompletionItem[], limit: number): readonly CompletionItem[] {
  if (items.length <= limit) return items;
  const groups = new Map<string, CompletionItem[]>();
  for (const item of items) {
    const name = groupOf(item);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [item]);
    else group.push(item);
  }
  const chosen: CompletionItem[] = [];
  const bySize = [...groups.values()].sort((a, b) => a.length - b.length);
  for (const [index, group] of bySize.entries()) {
    const share = Math.floor((limit - chosen.length) / (bySize.length - index));
    chosen.push(...group.slice(0, share));
  }
  return chosen;
}

const ROOTS: ReadonlySet<string> = new Set(['var', 'local', 'module', 'output']);

function groupOf({ kind, label }: CompletionItem): string {
  if (kind !== 'variable') return kind;
  const root = label.slice(0, Math.max(0, label.indexOf('.')));
  return ROOTS.has(root) ? root : 'object';
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
