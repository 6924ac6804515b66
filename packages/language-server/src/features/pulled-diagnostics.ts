import {
  type ClientCapabilities,
  type DiagnosticOptions,
  type DocumentDiagnosticReport,
  LSPErrorCodes,
  ResponseError,
  type WorkspaceDocumentDiagnosticReport,
} from 'vscode-languageserver';
import type { DiagnosticsPublisher, FileReport } from '../diagnostics-publisher.ts';
import { pauses } from '../pauses.ts';
import type { Session } from '../session.ts';
import type { Settings } from '../settings.ts';

/** The capability of a server whose clients ask for diagnostics. */
export const PULLED_DIAGNOSTICS: DiagnosticOptions = {
  identifier: 'terrane',
  interFileDependencies: true,
  workspaceDiagnostics: true,
};

/**
 * Returns true if the client pulls diagnostics: it does not support published ones, or the settings enable pulling.
 * Pulled diagnostics are not published as well, because the client would show them twice.
 */
export function isPulling(
  { textDocument }: ClientCapabilities,
  { diagnostics }: Pick<Settings, 'diagnostics'>,
): boolean {
  if (textDocument?.diagnostic === undefined) return false;
  return diagnostics.pull || textDocument.publishDiagnostics === undefined;
}

/** Registers the handlers of requests for diagnostics. */
export function registerPulledDiagnostics(session: Session, publisher: DiagnosticsPublisher): void {
  const { connection, uris } = session;
  connection.languages.diagnostics.on(
    async ({ textDocument: { uri }, previousResultId }): Promise<DocumentDiagnosticReport> => {
      session.checkState();
      return reportSince(await publisher.reportOf(uris.pathOf(uri)), previousResultId);
    },
  );
  connection.languages.diagnostics.onWorkspace(async ({ previousResultIds }, token) => {
    session.checkState();
    await session.scanned();
    const previous = new Map(previousResultIds.map(({ uri, value }) => [uris.pathOf(uri), value]));
    const cancellation = new AbortController();
    const registration = token.onCancellationRequested(() => cancellation.abort());
    const pause = pauses(session.clock, cancellation.signal);
    const items: WorkspaceDocumentDiagnosticReport[] = [];
    try {
      for (const directory of session.model.directories) {
        await pause();
        for (const [path, report] of await publisher.moduleReports(directory, pause))
          items.push({
            uri: uris.uriOf(path),
            version: report.version ?? null,
            ...reportSince(report, previous.get(path)),
          });
      }
    } catch (error) {
      if (!token.isCancellationRequested) throw error;
      throw new ResponseError(LSPErrorCodes.RequestCancelled, 'The request was cancelled.');
    } finally {
      registration.dispose();
    }
    return { items };
  });
}

function reportSince(report: FileReport, previousId: string | undefined): DocumentDiagnosticReport {
  return previousId === report.id
    ? { kind: 'unchanged', resultId: report.id }
    : { kind: 'full', resultId: report.id, items: [...report.items] };
}
