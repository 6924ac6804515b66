import { formatSource } from '@terrane/hcl';
import type { ProjectModel } from './project-model.ts';

/** A replacement of a span of a document; an empty span is an insertion. */
export interface TextChange {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Changes of documents by path; files that do not exist are created. */
export type Changes = ReadonlyMap<string, readonly TextChange[]>;

/** Collects changes of several documents. */
export class ChangeSet {
  readonly #changes = new Map<string, TextChange[]>();

  add(path: string, start: number, end: number, text: string): void {
    const changes = this.#changes.get(path);
    if (changes === undefined) this.#changes.set(path, [{ start, end, text }]);
    else changes.push({ start, end, text });
  }

  /** Appends a block to the end of a file, after an empty line. */
  append(project: ProjectModel, path: string, block: string): void {
    const text = project.document(path)?.text ?? '';
    const gap = text === '' ? '' : text.endsWith('\n') ? '\n' : '\n\n';
    this.add(path, text.length, text.length, `${gap}${block}\n`);
  }

  /** Returns the changes in order. Files in canonical style remain in canonical style. */
  finish(project: ProjectModel): Changes {
    const finished = new Map<string, readonly TextChange[]>();
    for (const [path, changes] of this.#changes) {
      const sorted = changes.toSorted((a, b) => a.start - b.start || a.end - b.end);
      const text = project.document(path)?.text ?? '';
      if (path.endsWith('.json') || formatSource(text) !== text) {
        finished.set(path, sorted);
        continue;
      }
      const changed = applyTextChanges(text, sorted);
      const formatted = formatSource(changed);
      finished.set(path, formatted === changed ? sorted : [wholeChange(text, formatted)]);
    }
    return finished;
  }
}

/** Applies sorted changes that do not overlap. */
export function applyTextChanges(text: string, changes: readonly TextChange[]): string {
  let changed = '';
  let at = 0;
  for (const { start, end, text: inserted } of changes) {
    changed += text.slice(at, start) + inserted;
    at = end;
  }
  return changed + text.slice(at);
}

/** One change between the equal beginning and the equal end of two texts. */
function wholeChange(before: string, after: string): TextChange {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  const maxCommon = Math.min(before.length, after.length) - start;
  while (end < maxCommon && before[before.length - 1 - end] === after[after.length - 1 - end])
    end++;
  return { start, end: before.length - end, text: after.slice(start, after.length - end) };
}
