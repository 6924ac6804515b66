import { deferred } from './deferred.ts';
import {
  type AnalysisContext,
  baseName,
  type Declaration,
  completionsAt,
  directoryOf,
  foldsOf,
  type FoundOccurrence,
  hoverAt,
  outlineOf,
  ProjectModel,
  selectionsAt,
  type Span,
  type SourceDocument,
} from '@terrane/analysis';
import type { FunctionSignature } from '@terrane/functions';
import type { Host } from '@terrane/host';
import { listFunctions } from '@terrane/ops';
import {
  type ClientCapabilities,
  type Connection,
  DidChangeConfigurationNotification,
  DidChangeWatchedFilesNotification,
  DocumentHighlightKind,
  FoldingRangeKind,
  type InitializeParams,
  type InitializeResult,
  type Location,
  type LocationLink,
  MarkupKind,
  type Position,
  type Range,
  type SelectionRange,
  TextDocumentSyncKind,
  type TextEdit,
} from 'vscode-languageserver';
import { DiagnosticsPublisher } from './diagnostics-publisher.ts';
import { formatEdits } from './format-edits.ts';
import { ModuleEngines } from './module-engines.ts';
import { Positions, selectEncoding } from './positions.ts';
import { completionItem, declarationKind, documentSymbol } from './protocol-items.ts';
import { DEFAULT_SETTINGS, readSettings, type Settings } from './settings.ts';
import { applyChanges } from './text-changes.ts';
import { Uris } from './uris.ts';
import { moduleDirectories } from './workspace-scan.ts';

/** What a language server needs of its surroundings. */
export interface LanguageServerPorts {
  /** returns the machine as seen from a directory, an absolute path with forward slashes */
  readonly hostAt: (directory: string) => Host;
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

class Server implements LanguageServer {
  readonly ended: Promise<boolean>;
  readonly #connection: Connection;
  readonly #ports: LanguageServerPorts;
  readonly #uris = new Uris();
  readonly #model: ProjectModel;
  readonly #engines: ModuleEngines;
  readonly #publisher: DiagnosticsPublisher;
  readonly #versions = new Map<string, number>();
  readonly #context: AnalysisContext;
  #capabilities: ClientCapabilities = {};
  #positions = new Positions('utf-16');
  #settings: Settings;
  #folders: readonly string[] = [];
  #scan: Promise<void> | undefined;
  #isShutDown = false;

  constructor(connection: Connection, ports: LanguageServerPorts) {
    this.#connection = connection;
    this.#ports = ports;
    this.#settings = { ...DEFAULT_SETTINGS, trusted: ports.trusted === true };
    const host = ports.hostAt('/');
    this.#model = new ProjectModel(host.files);
    this.#engines = new ModuleEngines(this.#model, ports.hostAt);
    let functions: readonly FunctionSignature[] | undefined;
    this.#context = {
      project: this.#model,
      schemas: (directory) => this.#engines.schemas(directory),
      values: (directory) => this.#engines.values(directory),
      get functions() {
        functions ??= functionsOf(host);
        return functions;
      },
    };
    this.#publisher = new DiagnosticsPublisher({
      connection,
      model: this.#model,
      engines: this.#engines,
      uris: this.#uris,
      positions: () => this.#positions,
      settings: () => this.#settings,
      clock: host.clock,
      versionOf: (path) => this.#versions.get(path),
      failed: (what, error) => this.#failed(what, error),
      refreshed: () => this.#refresh(),
    });
    const { promise, resolve } = deferred<boolean>();
    this.ended = promise;
    connection.onExit(() => resolve(this.#isShutDown));
    this.#lifecycle();
    this.#documents();
    this.#navigation();
    this.#editing();
    connection.listen();
  }

  async close(): Promise<void> {
    this.#publisher.stop();
    await this.#engines.close();
  }

  filesChanged(paths: readonly string[]): void {
    const directories = new Set<string>();
    for (const path of paths) {
      this.#model.fileChanged(path);
      const document = this.#model.document(path);
      directories.add(
        document === undefined ? directoryOf(path) : this.#model.moduleDirectoryOf(document),
      );
    }
    for (const directory of directories) {
      if (this.#engines.get(directory) !== undefined) this.#publisher.schedule(directory);
    }
  }

  // ---------- life cycle

  #lifecycle(): void {
    const connection = this.#connection;
    connection.onInitialize((params) => this.#initialize(params));
    connection.onInitialized(
      () => void this.#initialized().catch((error) => this.#failed('initialized', error)),
    );
    connection.onShutdown(async () => {
      this.#isShutDown = true;
      await this.close();
    });
    connection.onDidChangeConfiguration(({ settings }) => {
      void this.#configure(settings).catch((error) => this.#failed('configuration', error));
    });
    connection.onDidChangeWatchedFiles(({ changes }) => {
      this.filesChanged(changes.map(({ uri }) => this.#uris.folderPath(uri)));
    });
  }

  #initialize(params: InitializeParams): InitializeResult {
    this.#capabilities = params.capabilities;
    const encoding = selectEncoding(params.capabilities.general?.positionEncodings);
    this.#positions = new Positions(encoding);
    this.#settings = readSettings(params.initializationOptions, this.#settings);
    const folders = params.workspaceFolders?.map(({ uri }) => uri) ?? [];
    // oxlint-disable-next-line typescript/no-deprecated -- older clients only send this
    const { rootUri } = params;
    if (folders.length === 0 && rootUri !== null && rootUri !== undefined) folders.push(rootUri);
    if (folders[0] !== undefined) this.#uris.setBase(folders[0]);
    this.#folders = folders.map((uri) => this.#uris.folderPath(uri));
    return {
      serverInfo: { name: 'terrane', version: this.#ports.version },
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
        workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
      },
    };
  }

  async #initialized(): Promise<void> {
    const { workspace } = this.#capabilities;
    if (workspace?.didChangeConfiguration?.dynamicRegistration === true)
      await this.#connection.client.register(DidChangeConfigurationNotification.type, {
        section: 'terrane',
      });
    if (workspace?.didChangeWatchedFiles?.dynamicRegistration === true)
      await this.#connection.client.register(DidChangeWatchedFilesNotification.type, {
        watchers: [
          { globPattern: '**/*.{tf,tofu,tfvars,hcl,tf.json,tofu.json,tfvars.json}' },
          { globPattern: '**/.terraform/modules/modules.json' },
          { globPattern: '**/.terraform.lock.hcl' },
        ],
      });
    if (workspace?.workspaceFolders === true)
      this.#connection.workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
        const gone = new Set(removed.map(({ uri }) => this.#uris.folderPath(uri)));
        this.#folders = [
          ...this.#folders.filter((folder) => !gone.has(folder)),
          ...added.map(({ uri }) => this.#uris.folderPath(uri)),
        ];
        this.#scan = undefined;
      });
    await this.#configure(undefined);
  }

  /** Takes settings of a notification; clients that are asked for them send none there. */
  async #configure(sent: unknown): Promise<void> {
    let settings: unknown =
      typeof sent === 'object' && sent !== null && 'terrane' in sent ? sent.terrane : undefined;
    if (this.#capabilities.workspace?.configuration === true)
      settings = await this.#connection.workspace.getConfiguration('terrane');
    const before = JSON.stringify(this.#settings);
    this.#settings = readSettings(settings, this.#settings);
    if (before === JSON.stringify(this.#settings)) return;
    const directories = new Set(
      [...this.#versions.keys()].flatMap((path) => {
        const document = this.#model.document(path);
        return document === undefined ? [] : [this.#model.moduleDirectoryOf(document)];
      }),
    );
    for (const directory of directories) this.#publisher.schedule(directory);
  }

  #documents(): void {
    const connection = this.#connection;
    connection.onDidOpenTextDocument(({ textDocument: { uri, text, version, languageId } }) => {
      const path = this.#uris.pathOf(uri);
      this.#versions.set(path, version);
      this.#model.setText(path, text, languageId);
      this.#publisher.changed(path, false);
    });
    connection.onDidChangeTextDocument(({ textDocument: { uri, version }, contentChanges }) => {
      const path = this.#uris.pathOf(uri);
      const document = this.#model.document(path);
      if (!this.#model.isOpen(path)) return;
      this.#versions.set(path, version);
      const before = document?.text ?? this.#model.openText(path) ?? '';
      this.#model.setText(path, applyChanges(before, contentChanges, this.#positions));
      this.#publisher.changed(path, true);
    });
    connection.onDidSaveTextDocument(({ textDocument: { uri } }) => {
      const path = this.#uris.pathOf(uri);
      this.#publisher.changed(path, false);
    });
    connection.onDidCloseTextDocument(({ textDocument: { uri } }) => {
      const path = this.#uris.pathOf(uri);
      this.#versions.delete(path);
      this.#model.closeText(path);
      if (this.#model.document(path) === undefined) this.#publisher.closed(path);
      this.#publisher.changed(path, false);
    });
  }

  // ---------- queries

  #navigation(): void {
    const connection = this.#connection;
    connection.onHover(
      this.#at('hover', (document, offset) => {
        const found = hoverAt(this.#context, document, offset);
        if (found === undefined) return null;
        return {
          contents: { kind: MarkupKind.Markdown, value: found.markdown },
          range: this.#range(document, found.span),
        };
      }),
    );
    connection.onDefinition(
      this.#at('definition', (document, offset) => this.#definition(document, offset)),
    );
    connection.onDeclaration(
      this.#at('declaration', (document, offset) => this.#definition(document, offset)),
    );
    connection.onReferences(
      this.#guard('references', async ({ textDocument, position, context }) => {
        const found = this.#document(textDocument.uri);
        if (found === undefined) return null;
        const offset = this.#offset(found, position);
        const occurrence = this.#model.occurrenceAt(found, offset);
        const target =
          occurrence === undefined ? undefined : this.#model.targetOf(found, occurrence);
        if (target === undefined) return null;
        await this.#scanned();
        return this.#model
          .occurrencesOf(target)
          .filter(
            ({ occurrence: { role } }) => context.includeDeclaration || role !== 'declaration',
          )
          .map((each) => this.#location(each));
      }),
    );
    connection.onDocumentHighlight(
      this.#at('documentHighlight', (document, offset) => {
        const occurrence = this.#model.occurrenceAt(document, offset);
        if (occurrence === undefined) return null;
        return document.symbols.occurrences
          .filter(({ key, via }) => key === occurrence.key && via === occurrence.via)
          .map(({ span, role }) => ({
            range: this.#range(document, span),
            kind: role === 'reference' ? DocumentHighlightKind.Read : DocumentHighlightKind.Write,
          }));
      }),
    );
    connection.onDocumentSymbol(
      this.#in('documentSymbol', (document) =>
        outlineOf(document).map((item) => documentSymbol(item, document.text, this.#positions)),
      ),
    );
    connection.onWorkspaceSymbol(
      this.#guard('workspaceSymbol', async ({ query }) => {
        await this.#scanned();
        return this.#workspaceSymbols(query);
      }),
    );
    connection.onFoldingRanges(
      this.#in('foldingRange', (document) =>
        foldsOf(document).map(({ startLine, endLine, kind }) => ({
          startLine,
          endLine,
          kind: kind === 'comment' ? FoldingRangeKind.Comment : FoldingRangeKind.Region,
        })),
      ),
    );
    connection.onSelectionRanges(
      this.#guard('selectionRange', ({ textDocument, positions }) => {
        const document = this.#document(textDocument.uri);
        if (document === undefined) return null;
        return positions.map((position) => this.#selection(document, position));
      }),
    );
  }

  #editing(): void {
    const connection = this.#connection;
    connection.onCompletion(
      this.#at('completion', (document, offset) => {
        const { items, isIncomplete } = completionsAt(this.#context, document, offset);
        const item = this.#capabilities.textDocument?.completion?.completionItem;
        const support = {
          snippets: item?.snippetSupport === true,
          markdown: item?.documentationFormat?.includes(MarkupKind.Markdown) === true,
        };
        return {
          isIncomplete,
          items: items.map((each) => completionItem(each, document.text, this.#positions, support)),
        };
      }),
    );
    connection.onDocumentFormatting(
      this.#in('formatting', (document) => this.#formatted(document, () => true)),
    );
  }

  #formatted(document: SourceDocument, isWanted: (span: Span) => boolean): TextEdit[] {
    if (document.kind.syntax !== 'native') return [];
    return formatEdits(document.text)
      .filter((edit) => isWanted(edit))
      .map(({ text, ...span }) => ({ range: this.#range(document, span), newText: text }));
  }

  #definition(document: SourceDocument, offset: number): Location[] | LocationLink[] | null {
    const occurrence = this.#model.occurrenceAt(document, offset);
    if (occurrence === undefined) return this.#linkDefinition(document, offset);
    const target = this.#model.targetOf(document, occurrence);
    if (target === undefined) return null;
    const found = this.#model.declarationsOf(target);
    if (found.length === 0) return null;
    const hasLinks = this.#capabilities.textDocument?.definition?.linkSupport === true;
    if (!hasLinks)
      return found.map(({ document: at, declaration }) => ({
        uri: this.#uris.uriOf(at.path),
        range: this.#range(at, declaration.nameSpan),
      }));
    return found.map(({ document: at, declaration }) => ({
      originSelectionRange: this.#range(document, occurrence.span),
      targetUri: this.#uris.uriOf(at.path),
      targetRange: this.#range(at, enclosingSpan(declaration)),
      targetSelectionRange: this.#range(at, declaration.nameSpan),
    }));
  }

  /** The first file of the module that a source address leads to. */
  #linkDefinition(document: SourceDocument, offset: number): Location[] | null {
    const link = document.symbols.links.find(
      ({ sourceSpan }) =>
        sourceSpan !== undefined && sourceSpan.start <= offset && offset <= sourceSpan.end,
    );
    const directory =
      link === undefined
        ? undefined
        : this.#model.linkedDirectory(this.#model.moduleDirectoryOf(document), link);
    if (directory === undefined) return null;
    const { paths } = this.#model.module(directory);
    const path = paths.find((each) => baseName(each) === 'main.tf') ?? paths[0];
    if (path === undefined) return null;
    const start = { line: 0, character: 0 };
    return [{ uri: this.#uris.uriOf(path), range: { start, end: start } }];
  }

  #workspaceSymbols(query: string): {
    name: string;
    kind: ReturnType<typeof declarationKind>;
    location: Location;
    containerName: string;
  }[] {
    const wanted = query.toLowerCase();
    const symbols = [];
    for (const directory of this.#model.directories) {
      for (const found of this.#model.module(directory).declarations.values()) {
        for (const { document, declaration } of found) {
          if (!declaration.key.toLowerCase().includes(wanted)) continue;
          symbols.push({
            name: declaration.key,
            kind: declarationKind(declaration.kind),
            location: {
              uri: this.#uris.uriOf(document.path),
              range: this.#range(document, declaration.nameSpan),
            },
            containerName: baseName(directory),
          });
          if (symbols.length >= MAX_SYMBOLS) return symbols;
        }
      }
    }
    return symbols;
  }

  #selection(document: SourceDocument, position: Position): SelectionRange {
    const spans = selectionsAt(document, this.#offset(document, position));
    let selection: SelectionRange | undefined;
    for (const span of spans.toReversed()) {
      selection = {
        range: this.#range(document, span),
        ...(selection === undefined ? {} : { parent: selection }),
      };
    }
    return selection ?? { range: { start: position, end: position } };
  }

  // ---------- tools

  /** Finds the module directories of the workspace, once. */
  #scanned(): Promise<void> {
    this.#scan ??= moduleDirectories(this.#ports.hostAt('/').files, this.#folders).then((found) => {
      this.#model.setDirectories(found);
    });
    return this.#scan;
  }

  #document(uri: string): SourceDocument | undefined {
    return this.#model.document(this.#uris.pathOf(uri));
  }

  #offset({ text }: SourceDocument, position: Position): number {
    return this.#positions.offsetOf(text, position);
  }

  #range({ text }: SourceDocument, span: Span): Range {
    return this.#positions.rangeOf(text, span);
  }

  #location({ document, occurrence }: FoundOccurrence): Location {
    return {
      uri: this.#uris.uriOf(document.path),
      range: this.#range(document, occurrence.span),
    };
  }

  #refresh(): void {
    const { workspace } = this.#capabilities;
    if (workspace?.inlayHint?.refreshSupport === true)
      this.#connection.languages.inlayHint
        .refresh()
        .catch((error: unknown) => this.#failed('refresh', error));
    if (workspace?.codeLens?.refreshSupport === true)
      this.#connection
        .sendRequest('workspace/codeLens/refresh')
        .catch((error: unknown) => this.#failed('refresh', error));
  }

  /** Wraps a handler for a place in a document. */
  #at<R>(
    what: string,
    answer: (document: SourceDocument, offset: number) => R,
  ): (params: { textDocument: { uri: string }; position: Position }) => Promise<R | null> {
    return this.#guard(what, ({ textDocument, position }) => {
      const document = this.#document(textDocument.uri);
      return document === undefined ? null : answer(document, this.#offset(document, position));
    });
  }

  /** Wraps a handler for a document. */
  #in<R>(
    what: string,
    answer: (document: SourceDocument) => R,
  ): (params: { textDocument: { uri: string } }) => Promise<R | null> {
    return this.#guard(what, ({ textDocument }) => {
      const document = this.#document(textDocument.uri);
      return document === undefined ? null : answer(document);
    });
  }

  /** A failed request has no result; the client stays usable. */
  #guard<P, R>(
    what: string,
    answer: (params: P) => R | Promise<R> | null,
  ): (params: P) => Promise<R | null> {
    return async (params) => {
      try {
        return await answer(params);
      } catch (error) {
        this.#failed(what, error);
        return null;
      }
    };
  }

  /** Logs an internal error without its message, which may contain values. */
  #failed(what: string, error: unknown): void {
    const frames =
      error instanceof Error
        ? (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
        : [];
    const name = error instanceof Error ? error.name : typeof error;
    this.#connection.console.error(
      `Internal error (${what}): ${name}\n${frames.slice(0, 12).join('\n')}`,
    );
  }
}

/** The maximum number of workspace symbols in one answer. */
const MAX_SYMBOLS = 2000;

function functionsOf(host: Host): readonly FunctionSignature[] {
  return listFunctions({
    host,
    originalDirectory: '/',
    dataDirectory: '.terraform',
    variables: [],
  }).filter(({ name }) => !name.startsWith('core::'));
}

/** The range of JSON declarations is that of their key. */
function enclosingSpan({ span, nameSpan }: Declaration): Span {
  return { start: Math.min(span.start, nameSpan.start), end: Math.max(span.end, nameSpan.end) };
}
