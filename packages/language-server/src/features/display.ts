import { documentLinks, signatureAt, type SourceDocument, valueHints } from '@terrane/analysis';
import type { InlayHint } from 'vscode-languageserver';
import type { DiagnosticsPublisher } from '../diagnostics-publisher.ts';
import type { Session } from '../session.ts';
import { lensesOf } from './code-lenses.ts';

/** Registers the handlers of features that clients display beside the text. */
export function registerDisplay(session: Session, publisher: DiagnosticsPublisher): void {
  const { connection } = session;
  connection.languages.inlayHint.on(
    session.guard('inlayHint', async ({ textDocument, range }) => {
      if (!session.settings.inlayHints.values) return null;
      const opened = session.document(textDocument.uri);
      if (opened === undefined) return null;
      // VS Code listens for refreshes after its first response only, and would miss one that follows an early response.
      await publisher.firstValues(session.model.moduleDirectoryOf(opened));
      const document = session.document(textDocument.uri);
      if (document === undefined) return null;
      const visibleSpan = session.span(document, range);
      return valueHints(session.context, document, visibleSpan).map(
        ({ offset, label, tooltip }): InlayHint => ({
          position: session.positions.positionOf(document.text, offset),
          label: `= ${label}`,
          tooltip,
          paddingLeft: true,
        }),
      );
    }),
  );
  const withHighlighter = <R extends object>(
    uri: string,
    answer: (document: SourceDocument) => R,
  ): R | { data: number[] } => {
    session.checkState();
    try {
      const document = session.document(uri);
      return document === undefined ? { data: [] } : answer(document);
    } catch (error) {
      session.failed('semanticTokens', error);
      return { data: [] };
    }
  };
  connection.languages.semanticTokens.on(({ textDocument: { uri } }) =>
    withHighlighter(uri, (document) => session.highlighter.full(document)),
  );
  connection.languages.semanticTokens.onDelta(({ textDocument: { uri }, previousResultId }) =>
    withHighlighter(uri, (document) => session.highlighter.delta(document, previousResultId)),
  );
  connection.languages.semanticTokens.onRange(({ textDocument: { uri }, range }) =>
    withHighlighter(uri, (document) =>
      session.highlighter.range(document, session.span(document, range)),
    ),
  );
  connection.onSignatureHelp(
    session.at('signatureHelp', (document, offset) => {
      const signature = signatureAt(session.context, document, offset);
      if (signature === undefined) return null;
      const { label, documentation, parameters, activeParameter } = signature;
      const information = { label, documentation, parameters: [...parameters] };
      return { signatures: [information], activeSignature: 0, activeParameter };
    }),
  );
  connection.onDocumentLinks(
    session.in('documentLink', (document) =>
      documentLinks(session.context, document).map(({ span, target, tooltip }) => ({
        range: session.range(document, span),
        target: 'url' in target ? target.url : session.uris.uriOf(target.path),
        tooltip,
      })),
    ),
  );
  connection.onCodeLens(session.in('codeLens', (document) => lensesOf(session, document)));
}
