import type { TextDocumentContentChangeEvent } from 'vscode-languageserver';
import type { Positions } from './positions.ts';

/** Applies the changes of a notification to a text, one after another. */
export function applyChanges(
  text: string,
  changes: readonly TextDocumentContentChangeEvent[],
  positions: Positions,
): string {
  let changed = text;
  for (const change of changes) {
    if (!('range' in change)) {
      changed = change.text;
      continue;
    }
    const start = positions.offsetOf(changed, change.range.start);
    const end = Math.max(start, positions.offsetOf(changed, change.range.end));
    changed = changed.slice(0, start) + change.text + changed.slice(end);
  }
  return changed;
}
