import type { AnalysisContext } from '../analysis-context.ts';
import { referenceBefore } from '../cursor-context.ts';
import type { SourceDocument } from '../source-document.ts';
import { isInsideTemplate, templateVariables } from '../template-variables.ts';
import { type CompletionItem, functionItem } from './completion-item.ts';

const DIRECTIVES: readonly string[] = ['if', 'else', 'endif', 'for', 'endfor'];

/** Variables, functions and directives in the interpolations of a template file. */
export function templateItems(
  { project, functions }: AnalysisContext,
  document: SourceDocument,
  offset: number,
): readonly CompletionItem[] {
  const before = document.text.slice(0, offset);
  if (!isInsideTemplate(before)) return [];
  const reference = referenceBefore(document.text, offset);
  if (reference.includes('.')) return [];
  const span = { start: offset - reference.length, end: offset };
  const item = (
    label: string,
    kind: CompletionItem['kind'],
    detail: string,
    rank: number,
  ): CompletionItem => ({ label, kind, detail, insert: label, span, rank });
  const isDirective = /%\{~?\s*$/.test(before.slice(0, span.start));
  if (isDirective) return DIRECTIVES.map((label) => item(label, 'keyword', 'directive', 0));
  const elements = [
    ...before.matchAll(
      /%\{~?\s*for\s+([\p{ID_Start}_][\p{ID_Continue}-]*)(?:\s*,\s*([\p{ID_Start}_][\p{ID_Continue}-]*))?\s+in\b/gu,
    ),
  ].flatMap(([, first, second]) => [first, second].filter((name) => name !== undefined));
  return [...new Set(elements)]
    .map((name) => item(name, 'variable', 'element of the for directive', 0))
    .concat(
      templateVariables(project, document).map((name) =>
        item(name, 'variable', 'variable of the template', 1),
      ),
      functions
        .filter(({ name }) => !name.includes('::'))
        .map((signature) => functionItem(signature, span)),
    );
}
