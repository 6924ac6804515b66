import { type Changes, codeActionsAt, renameChanges, renameSubject } from '@terrane/analysis';
import {
  type CodeAction,
  ResponseError,
  type TextDocumentEdit,
  type TextEdit,
  type WorkspaceEdit,
} from 'vscode-languageserver';
import type { Session } from '../session.ts';

/** Registers the handlers of rename and code actions. */
export function registerChanges(session: Session): void {
  const { connection } = session;
  connection.onPrepareRename(async ({ textDocument, position }) => {
    session.checkState();
    const document = session.document(textDocument.uri);
    if (document === undefined) return null;
    const subject = renameSubject(session.model, document, session.offset(document, position));
    if (subject === undefined) return null;
    if ('problem' in subject) return new ResponseError(REQUEST_FAILED, subject.problem);
    return { range: session.range(document, subject.span), placeholder: subject.name };
  });
  connection.onRenameRequest(async ({ textDocument, position, newName }) => {
    session.checkState();
    const document = session.document(textDocument.uri);
    if (document === undefined) return null;
    const subject = renameSubject(session.model, document, session.offset(document, position));
    if (subject === undefined) return null;
    if ('problem' in subject) return new ResponseError(REQUEST_FAILED, subject.problem);
    await session.scanned();
    const renamed = renameChanges(session.model, subject.target, newName);
    if ('problem' in renamed) return new ResponseError(REQUEST_FAILED, renamed.problem);
    return workspaceEdit(session, renamed.changes);
  });
  connection.onCodeAction(
    session.guard('codeAction', async ({ textDocument, range, context: { diagnostics, only } }) => {
      const document = session.document(textDocument.uri);
      if (document === undefined) return null;
      await session.scanned();
      const shownDiagnostics = diagnostics.map((diagnostic) => ({
        span: session.span(document, diagnostic.range),
        message:
          typeof diagnostic.message === 'string' ? diagnostic.message : diagnostic.message.value,
      }));
      const actions = codeActionsAt(
        session.context,
        document,
        session.span(document, range),
        shownDiagnostics,
      );
      return actions
        .filter(({ kind }) => only === undefined || only.some((each) => isKind(kind, each)))
        .map(({ title, kind, changes, isPreferred }): CodeAction => ({
          title,
          kind,
          edit: workspaceEdit(session, changes),
          ...(isPreferred === true ? { isPreferred } : {}),
        }));
    }),
  );
}

function workspaceEdit(session: Session, changes: Changes): WorkspaceEdit {
  const isVersioned = session.capabilities.workspace?.workspaceEdit?.documentChanges === true;
  const edits = [...changes].map(([path, fileChanges]) => {
    const text = session.model.document(path)?.text ?? '';
    return {
      path,
      edits: fileChanges.map((change): TextEdit => ({
        range: session.positions.rangeOf(text, change),
        newText: change.text,
      })),
    };
  });
  if (!isVersioned)
    return {
      changes: Object.fromEntries(
        edits.map(({ path, edits: fileEdits }) => [session.uris.uriOf(path), fileEdits]),
      ),
    };
  return {
    documentChanges: edits.flatMap(({ path, edits: fileEdits }) => {
      const uri = session.uris.uriOf(path);
      const edit: TextDocumentEdit = {
        textDocument: { uri, version: session.versions.get(path) ?? null },
        edits: fileEdits,
      };
      return session.model.document(path) === undefined
        ? [{ kind: 'create' as const, uri, options: { ignoreIfExists: true } }, edit]
        : [edit];
    }),
  };
}

/** LSPErrorCodes.RequestFailed: the error code of valid requests that fail. */
const REQUEST_FAILED = -32803;

/** Returns true for a kind and its sub-kinds. */
function isKind(kind: string, wanted: string): boolean {
  return wanted === '' || kind === wanted || kind.startsWith(`${wanted}.`);
}
