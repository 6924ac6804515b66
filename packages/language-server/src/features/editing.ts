import { completionsAt, outlineOf, type SourceDocument, type Span } from '@terrane/analysis';
import { MarkupKind, type Range, type TextEdit } from 'vscode-languageserver';
import { formatEdits } from '../format-edits.ts';
import { completionItem } from '../protocol-items.ts';
import type { Session } from '../session.ts';

/** Registers the handlers of completion and formatting. */
export function registerEditing(session: Session): void {
  const { connection } = session;
  connection.onCompletion(
    session.at('completion', (document, offset) => {
      const { items, isIncomplete } = completionsAt(session.context, document, offset);
      const item = session.capabilities.textDocument?.completion?.completionItem;
      const support = {
        snippets: item?.snippetSupport === true,
        markdown: item?.documentationFormat?.includes(MarkupKind.Markdown) === true,
      };
      // Most items replace the same span.
      const ranges = new Map<Span, Range>();
      const rangeOf = (span: Span): Range => {
        let range = ranges.get(span);
        if (range === undefined) ranges.set(span, (range = session.range(document, span)));
        return range;
      };
      return {
        isIncomplete,
        items: items.map((each) => completionItem(each, rangeOf(each.span), support)),
      };
    }),
  );
  connection.onDocumentFormatting(
    session.in('formatting', (document) => formattingEdits(session, document, () => true)),
  );
  connection.onDocumentRangeFormatting(
    session.guard('rangeFormatting', ({ textDocument, range }) => {
      const document = session.document(textDocument.uri);
      if (document === undefined) return null;
      const { start, end } = session.span(document, range);
      return formattingEdits(session, document, (edit) => edit.start < end && edit.end > start);
    }),
  );
  connection.onDocumentOnTypeFormatting(
    session.guard('onTypeFormatting', ({ textDocument, position }) => {
      const document = session.document(textDocument.uri);
      if (document === undefined) return null;
      const offset = session.offset(document, position);
      const lineStart = document.text.lastIndexOf('\n', offset - 1) + 1;
      const blockStart = outlineOf(document).findLast(({ span }) => span.start <= offset)?.span
        .start;
      // The line of the cursor is still being typed.
      return formattingEdits(
        session,
        document,
        (edit) => edit.end <= lineStart && edit.start >= (blockStart ?? lineStart),
      );
    }),
  );
}

function formattingEdits(
  session: Session,
  document: SourceDocument,
  isWanted: (span: Span) => boolean,
): TextEdit[] {
  if (document.kind.syntax !== 'native') return [];
  return formatEdits(document.text)
    .filter((edit) => isWanted(edit))
    .map(({ text, ...span }) => ({ range: session.range(document, span), newText: text }));
}
