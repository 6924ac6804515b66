import { directoryOf } from '@terrane/analysis';
import type { Host } from '@terrane/host';
import {
  CodeActionKind,
  type Connection,
  DidChangeConfigurationNotification,
  DidChangeWatchedFilesNotification,
  ErrorCodes,
  type InitializeParams,
  type InitializeResult,
  ResponseError,
  TextDocumentSyncKind,
} from 'vscode-languageserver';
import { deferred } from './deferred.ts';
import { DiagnosticsPublisher } from './diagnostics-publisher.ts';
import { registerChanges } from './features/changes.ts';
import { COMMANDS, registerCommands } from './features/commands.ts';
import { registerDisplay } from './features/display.ts';
import { registerEditing } from './features/editing.ts';
import {
  isPulling,
  PULLED_DIAGNOSTICS,
  registerPulledDiagnostics,
} from './features/pulled-diagnostics.ts';
import { registerNavigation } from './features/navigation.ts';
import { Positions, selectEncoding } from './positions.ts';
import { SemanticHighlighter } from './semantic-highlighter.ts';
import { Session } from './session.ts';
import { DEFAULT_SETTINGS, readSettings } from './settings.ts';
import { applyChanges } from './text-changes.ts';

/** Host interfaces of a language server. */
export interface LanguageServerPorts {
  /** returns the machine as seen from a directory, an absolute path with forward slashes */
  readonly hostAt: (directory: string) => Host;
  /**
   * Creates, replaces or, for null, removes a file, for hosts that have no files of their own: the client sends those of
   * the workspace in `terrane/files`.
   */
  readonly writeFile?: (path: string, text: string | null) => void;
  /** the version to announce */
  readonly version: string;
  /** true: workspaces are trusted unless a setting says otherwise */
  readonly trusted?: boolean;
}

/** A running language server. */
export interface LanguageServer {
  /** Resolves when the client has sent `exit` or closed the connection; true after an orderly `shutdown`. */
  readonly ended: Promise<boolean>;
  /** Ends processes of providers. */
  close(): Promise<void>;
  /** Notes that files changed outside of the client, for hosts whose files the embedder writes. */
  filesChanged(paths: readonly string[]): void;
}

/** Registers the handlers of the protocol on a connection and starts listening. */
export function startLanguageServer(
  connection: Connection,
  ports: LanguageServerPorts,
): LanguageServer {
  return new Server(connection, ports);
}

/** A file that a client sends. */
interface SentFile {
  readonly uri: string;
  /** null: the file does not exist */
  readonly text: string | null;
}

class Server implements LanguageServer {
  readonly ended: Promise<boolean>;
  readonly #session: Session;
  readonly #version: string;
  readonly #writeFile: LanguageServerPorts['writeFile'];
  readonly #publisher: DiagnosticsPublisher;

  constructor(connection: Connection, ports: LanguageServerPorts) {
    const { hostAt, version, trusted = false } = ports;
    this.#writeFile = ports.writeFile;
    const session = new Session(connection, hostAt, { ...DEFAULT_SETTINGS, trusted });
    this.#session = session;
    this.#version = version;
    this.#publisher = new DiagnosticsPublisher({
      connection,
      model: session.model,
      engines: session.engines,
      uris: session.uris,
      positions: () => session.positions,
      settings: () => session.settings,
      clock: hostAt('/').clock,
      versionOf: (path) => session.versions.get(path),
      failed: (what, error) => session.failed(what, error),
      inform: (message) => connection.console.info(message),
      isPulled: () => session.isPulled,
      askAgain: () => session.refreshDiagnostics(),
      refreshed: () => session.refresh(),
    });
    const { promise, resolve } = deferred<boolean>();
    this.ended = promise;
    connection.onExit(() => resolve(session.isShutDown));
    this.#lifecycle();
    this.#documents();
    registerNavigation(session);
    registerEditing(session);
    registerDisplay(session, this.#publisher);
    registerChanges(session);
    registerCommands(session);
    registerPulledDiagnostics(session, this.#publisher);
    connection.listen();
  }

  async close(): Promise<void> {
    this.#publisher.stop();
    await this.#session.engines.close();
  }

  filesChanged(paths: readonly string[]): void {
    const session = this.#session;
    const directories = new Set<string>();
    for (const path of paths) {
      session.model.fileChanged(path);
      const document = session.model.document(path);
      directories.add(
        document === undefined ? directoryOf(path) : session.model.moduleDirectoryOf(document),
      );
    }
    for (const directory of directories) {
      if (session.engines.get(directory) !== undefined) this.#publisher.schedule(directory);
    }
  }

  #lifecycle(): void {
    const session = this.#session;
    const { connection } = session;
    connection.onInitialize((params) => this.#initialize(params));
    connection.onInitialized(
      () => void this.#initialized().catch((error) => session.failed('initialized', error)),
    );
    connection.onShutdown(async () => {
      session.checkState();
      session.isShutDown = true;
      await this.close();
    });
    connection.onDidChangeConfiguration(({ settings }) => {
      void this.#configure(settings).catch((error) => session.failed('configuration', error));
    });
    connection.onDidChangeWatchedFiles(({ changes }) => {
      this.filesChanged(changes.map(({ uri }) => session.uris.folderPath(uri)));
    });
  }

  #initialize(params: InitializeParams): InitializeResult {
    const session = this.#session;
    if (session.isInitialized)
      throw new ResponseError(ErrorCodes.InvalidRequest, 'The server is initialized already.');
    session.isInitialized = true;
    session.capabilities = params.capabilities;
    const encoding = selectEncoding(params.capabilities.general?.positionEncodings);
    session.positions = new Positions(encoding);
    session.settings = readSettings(params.initializationOptions, session.settings);
    session.highlighter = new SemanticHighlighter(params.capabilities, session.positions);
    const folders = params.workspaceFolders?.map(({ uri }) => uri) ?? [];
    // oxlint-disable-next-line typescript/no-deprecated -- older clients only send this
    const { rootUri } = params;
    if (folders.length === 0 && rootUri !== null && rootUri !== undefined) folders.push(rootUri);
    if (folders[0] !== undefined) session.uris.setBase(folders[0]);
    session.folders = folders.map((uri) => session.uris.folderPath(uri));
    session.isPulled = isPulling(params.capabilities, session.settings);
    return {
      serverInfo: { name: 'terrane', version: this.#version },
      capabilities: {
        positionEncoding: encoding,
        textDocumentSync: {
          openClose: true,
          change: TextDocumentSyncKind.Incremental,
          save: { includeText: false },
        },
        completionProvider: { triggerCharacters: ['.', '"', '[', '{', '='] },
        hoverProvider: true,
        definitionProvider: true,
        declarationProvider: true,
        referencesProvider: true,
        documentHighlightProvider: true,
        documentSymbolProvider: true,
        workspaceSymbolProvider: true,
        foldingRangeProvider: true,
        selectionRangeProvider: true,
        documentFormattingProvider: true,
        documentRangeFormattingProvider: true,
        documentOnTypeFormattingProvider: {
          firstTriggerCharacter: '}',
          moreTriggerCharacter: ['\n'],
        },
        renameProvider: { prepareProvider: true },
        inlayHintProvider: true,
        signatureHelpProvider: { triggerCharacters: ['(', ','], retriggerCharacters: [')'] },
        documentLinkProvider: {},
        codeActionProvider: {
          codeActionKinds: [
            CodeActionKind.QuickFix,
            CodeActionKind.RefactorExtract,
            CodeActionKind.RefactorRewrite,
          ],
        },
        codeLensProvider: {},
        ...(session.isPulled ? { diagnosticProvider: PULLED_DIAGNOSTICS } : {}),
        executeCommandProvider: { commands: [...COMMANDS] },
        semanticTokensProvider: {
          legend: session.highlighter.legend,
          full: { delta: true },
          range: true,
        },
        workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
      },
    };
  }

  async #initialized(): Promise<void> {
    const session = this.#session;
    const { workspace } = session.capabilities;
    if (workspace?.didChangeConfiguration?.dynamicRegistration === true)
      await session.connection.client.register(DidChangeConfigurationNotification.type, {
        section: 'terrane',
      });
    if (workspace?.didChangeWatchedFiles?.dynamicRegistration === true)
      await session.connection.client.register(DidChangeWatchedFilesNotification.type, {
        watchers: [
          { globPattern: '**/*.{tf,tofu,tfvars,hcl,tf.json,tofu.json,tfvars.json}' },
          { globPattern: '**/.terraform/modules/modules.json' },
          { globPattern: '**/.terraform.lock.hcl' },
        ],
      });
    if (workspace?.workspaceFolders === true)
      session.connection.workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
        const gone = new Set(removed.map(({ uri }) => session.uris.folderPath(uri)));
        session.folders = [
          ...session.folders.filter((folder) => !gone.has(folder)),
          ...added.map(({ uri }) => session.uris.folderPath(uri)),
        ];
      });
    await this.#configure(undefined);
  }

  /** Applies the settings of a notification, which is empty for clients that support configuration requests. */
  async #configure(sent: unknown): Promise<void> {
    const session = this.#session;
    let settings: unknown =
      typeof sent === 'object' && sent !== null && 'terrane' in sent ? sent.terrane : undefined;
    if (session.capabilities.workspace?.configuration === true)
      settings = await session.connection.workspace.getConfiguration('terrane');
    const before = JSON.stringify(session.settings);
    session.settings = readSettings(settings, session.settings);
    if (before === JSON.stringify(session.settings)) return;
    const directories = new Set(
      [...session.versions.keys()].flatMap((path) => {
        const document = session.model.document(path);
        return document === undefined ? [] : [session.model.moduleDirectoryOf(document)];
      }),
    );
    for (const directory of directories) this.#publisher.schedule(directory);
  }

  #documents(): void {
    const session = this.#session;
    const { connection } = session;
    connection.onNotification(
      'terrane/files',
      ({ files }: { readonly files: readonly SentFile[] }) => {
        const write = this.#writeFile;
        if (write === undefined) return;
        const paths = files.map(({ uri, text }) => {
          const path = session.uris.pathOf(uri);
          write(path, text);
          return path;
        });
        // The directories are searched again.
        session.folders = [...session.folders];
        this.filesChanged(paths);
      },
    );
    connection.onDidOpenTextDocument(({ textDocument }) => {
      const { uri, version, languageId } = textDocument;
      // Some clients omit the text of an empty document.
      const sent: { readonly text?: string } = { text: textDocument.text };
      const path = session.uris.pathOf(uri);
      session.versions.set(path, version);
      session.model.setText(path, sent.text ?? '', languageId);
      this.#publisher.changed(path, false);
    });
    connection.onDidChangeTextDocument(({ textDocument: { uri, version }, contentChanges }) => {
      const path = session.uris.pathOf(uri);
      const document = session.model.document(path);
      if (!session.model.isOpen(path)) return;
      session.versions.set(path, version);
      const before = document?.text ?? session.model.openText(path) ?? '';
      session.model.setText(path, applyChanges(before, contentChanges, session.positions));
      this.#publisher.changed(path, true);
    });
    connection.onDidSaveTextDocument(({ textDocument: { uri } }) => {
      const path = session.uris.pathOf(uri);
      this.#publisher.changed(path, false);
    });
    connection.onDidCloseTextDocument(({ textDocument: { uri } }) => {
      const path = session.uris.pathOf(uri);
      session.versions.delete(path);
      session.model.closeText(path);
      if (session.model.document(path) === undefined) this.#publisher.closed(path);
      this.#publisher.changed(path, false);
    });
  }
}
