import { deferred } from './deferred.ts';
import {
  type AnalysisContext,
  baseName,
  type Changes,
  codeActionsAt,
  type Declaration,
  completionsAt,
  documentLinks,
  directoryOf,
  foldsOf,
  type FoundOccurrence,
  hoverAt,
  outlineOf,
  ProjectModel,
  renameChanges,
  renameSubject,
  selectionsAt,
  signatureAt,
  type Span,
  type SourceDocument,
  valueHints,
} from '@terrane/analysis';
import type { FunctionSignature } from '@terrane/functions';
import type { Host } from '@terrane/host';
import { listFunctions } from '@terrane/ops';
import {
  type ClientCapabilities,
  type CodeAction,
  CodeActionKind,
  type CodeLens,
  type Connection,
  DidChangeConfigurationNotification,
  DidChangeWatchedFilesNotification,
  DocumentHighlightKind,
  ErrorCodes,
  FoldingRangeKind,
  type InitializeParams,
  type InlayHint,
  type InitializeResult,
  type Location,
  type LocationLink,
  MarkupKind,
  MessageType,
  type Position,
  type Range,
  type ReferenceContext,
  ResponseError,
  type SelectionRange,
  ShowMessageNotification,
  TextDocumentSyncKind,
  type TextDocumentEdit,
  type TextEdit,
  type WorkspaceEdit,
} from 'vscode-languageserver';
import { DiagnosticsPublisher } from './diagnostics-publisher.ts';
import { formatEdits } from './format-edits.ts';
import { ModuleEngines } from './module-engines.ts';
import { Positions, selectEncoding } from './positions.ts';
import { blockChanges, explainedText, type LastPlan, readPlan } from './last-plans.ts';
import { SemanticHighlighter } from './semantic-highlighter.ts';
import { runTestBlock } from './run-test-block.ts';
import { completionItem, declarationKind, documentSymbol } from './protocol-items.ts';
import { DEFAULT_SETTINGS, readSettings, type Settings } from './settings.ts';
import { applyChanges } from './text-changes.ts';
import { Uris } from './uris.ts';
import { moduleDirectories } from './workspace-scan.ts';

/** Host interfaces of a language server. */
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
  readonly #plans = new Map<string, LastPlan>();
  #highlighter = new SemanticHighlighter({}, this.#positions);
  #scan: Promise<void> | undefined;
  #isInitialized = false;
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
      inform: (message) => this.#connection.console.info(message),
      refreshed: () => this.#refresh(),
    });
    const { promise, resolve } = deferred<boolean>();
    this.ended = promise;
    connection.onExit(() => resolve(this.#isShutDown));
    this.#lifecycle();
    this.#documents();
    this.#navigation();
    this.#editing();
    this.#display();
    this.#changes();
    this.#commands();
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
      this.#checkState();
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
    if (this.#isInitialized)
      throw new ResponseError(ErrorCodes.InvalidRequest, 'The server is initialized already.');
    this.#isInitialized = true;
    this.#capabilities = params.capabilities;
    const encoding = selectEncoding(params.capabilities.general?.positionEncodings);
    this.#positions = new Positions(encoding);
    this.#settings = readSettings(params.initializationOptions, this.#settings);
    this.#highlighter = new SemanticHighlighter(params.capabilities, this.#positions);
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
        executeCommandProvider: { commands: [...COMMANDS] },
        semanticTokensProvider: {
          legend: this.#highlighter.legend,
          full: { delta: true },
          range: true,
        },
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
    connection.onDidOpenTextDocument(({ textDocument }) => {
      const { uri, version, languageId } = textDocument;
      // Some clients omit the text of an empty document.
      const sent: { readonly text?: string } = { text: textDocument.text };
      const path = this.#uris.pathOf(uri);
      this.#versions.set(path, version);
      this.#model.setText(path, sent.text ?? '', languageId);
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
      this.#guard('references', async ({ textDocument, position, ...params }) => {
        // Some clients omit the context.
        const { context }: { readonly context?: ReferenceContext } = params;
        const found = this.#document(textDocument.uri);
        if (found === undefined) return null;
        const target = this.#model.subjectAt(found, this.#offset(found, position));
        if (target === undefined) return null;
        await this.#scanned();
        return this.#model
          .occurrencesOf(target)
          .filter(
            ({ occurrence: { role } }) =>
              context?.includeDeclaration === true || role !== 'declaration',
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
    connection.onDocumentRangeFormatting(
      this.#guard('rangeFormatting', ({ textDocument, range }) => {
        const document = this.#document(textDocument.uri);
        if (document === undefined) return null;
        const { start, end } = this.#span(document, range);
        return this.#formatted(document, (edit) => edit.start < end && edit.end > start);
      }),
    );
    connection.onDocumentOnTypeFormatting(
      this.#guard('onTypeFormatting', ({ textDocument, position }) => {
        const document = this.#document(textDocument.uri);
        if (document === undefined) return null;
        const offset = this.#offset(document, position);
        const lineStart = document.text.lastIndexOf('\n', offset - 1) + 1;
        const blockStart = outlineOf(document).findLast(({ span }) => span.start <= offset)?.span
          .start;
        // The line of the cursor is still being typed.
        return this.#formatted(
          document,
          (edit) => edit.end <= lineStart && edit.start >= (blockStart ?? lineStart),
        );
      }),
    );
  }

  /** Registers the handlers of features that clients display beside the text. */
  #display(): void {
    const connection = this.#connection;
    connection.languages.inlayHint.on(
      this.#guard('inlayHint', ({ textDocument, range }) => {
        const document = this.#document(textDocument.uri);
        if (document === undefined || !this.#settings.inlayHints.values) return null;
        const within = this.#span(document, range);
        return valueHints(this.#context, document, within).map(
          ({ offset, label, tooltip }): InlayHint => ({
            position: this.#positions.positionOf(document.text, offset),
            label: `= ${label}`,
            tooltip,
            paddingLeft: true,
          }),
        );
      }),
    );
    const highlighted = <R extends object>(
      uri: string,
      answer: (document: SourceDocument) => R,
    ): R | { data: number[] } => {
      this.#checkState();
      try {
        const document = this.#document(uri);
        return document === undefined ? { data: [] } : answer(document);
      } catch (error) {
        this.#failed('semanticTokens', error);
        return { data: [] };
      }
    };
    connection.languages.semanticTokens.on(({ textDocument: { uri } }) =>
      highlighted(uri, (document) => this.#highlighter.full(document)),
    );
    connection.languages.semanticTokens.onDelta(({ textDocument: { uri }, previousResultId }) =>
      highlighted(uri, (document) => this.#highlighter.delta(document, previousResultId)),
    );
    connection.languages.semanticTokens.onRange(({ textDocument: { uri }, range }) =>
      highlighted(uri, (document) =>
        this.#highlighter.range(document, this.#span(document, range)),
      ),
    );
    connection.onSignatureHelp(
      this.#at('signatureHelp', (document, offset) => {
        const found = signatureAt(this.#context, document, offset);
        if (found === undefined) return null;
        const { label, documentation, parameters, activeParameter } = found;
        const information = { label, documentation, parameters: [...parameters] };
        return { signatures: [information], activeSignature: 0, activeParameter };
      }),
    );
    connection.onDocumentLinks(
      this.#in('documentLink', (document) =>
        documentLinks(this.#context, document).map(({ span, target, tooltip }) => ({
          range: this.#range(document, span),
          target: 'url' in target ? target.url : this.#uris.uriOf(target.path),
          tooltip,
        })),
      ),
    );
    connection.onCodeLens(this.#in('codeLens', (document) => this.#lenses(document)));
  }

  #lenses(document: SourceDocument): CodeLens[] {
    const lenses: CodeLens[] = [];
    const { plan, tests, references } = this.#settings.codeLens;
    const uri = this.#uris.uriOf(document.path);
    if (plan) {
      for (const [directory, last] of this.#plans) {
        const configuration = this.#engines.get(directory)?.configuration;
        if (configuration === undefined) continue;
        for (const change of blockChanges(last, configuration, directory)) {
          if (change.path !== document.path || change.span.end > document.text.length) continue;
          lenses.push({
            range: this.#range(document, change.span),
            command: {
              title: change.title,
              command: EXPLAIN_COMMAND,
              arguments: [this.#uris.uriOf(directory), change.addresses],
            },
          });
        }
      }
    }
    for (const { kind, key, name, nameSpan } of document.symbols.declarations) {
      const range = this.#range(document, nameSpan);
      if (tests && kind === 'run' && this.#settings.trusted)
        lenses.push({
          range,
          command: { title: 'Run test', command: TEST_COMMAND, arguments: [uri, name] },
        });
      if (references && document.kind.role === 'module') {
        const directory = this.#model.moduleDirectoryOf(document);
        const count = this.#model
          .occurrencesOf({ directory, key })
          .filter(({ occurrence }) => occurrence.role !== 'declaration').length;
        if (count > 0)
          lenses.push({
            range,
            command: {
              title: count === 1 ? '1 reference' : `${count} references`,
              command: REFERENCES_COMMAND,
              arguments: [uri, range.start],
            },
          });
      }
    }
    return lenses;
  }

  /** Rename and code actions. */
  #changes(): void {
    const connection = this.#connection;
    connection.onPrepareRename(async ({ textDocument, position }) => {
      this.#checkState();
      const document = this.#document(textDocument.uri);
      if (document === undefined) return null;
      const subject = renameSubject(this.#model, document, this.#offset(document, position));
      if (subject === undefined) return null;
      if ('problem' in subject) return new ResponseError(REQUEST_FAILED, subject.problem);
      return { range: this.#range(document, subject.span), placeholder: subject.name };
    });
    connection.onRenameRequest(async ({ textDocument, position, newName }) => {
      this.#checkState();
      const document = this.#document(textDocument.uri);
      if (document === undefined) return null;
      const subject = renameSubject(this.#model, document, this.#offset(document, position));
      if (subject === undefined) return null;
      if ('problem' in subject) return new ResponseError(REQUEST_FAILED, subject.problem);
      await this.#scanned();
      const renamed = renameChanges(this.#model, subject.target, newName);
      if ('problem' in renamed) return new ResponseError(REQUEST_FAILED, renamed.problem);
      return this.#workspaceEdit(renamed.changes);
    });
    connection.onCodeAction(
      this.#guard('codeAction', async ({ textDocument, range, context: { diagnostics, only } }) => {
        const document = this.#document(textDocument.uri);
        if (document === undefined) return null;
        await this.#scanned();
        const shown = diagnostics.map((diagnostic) => ({
          span: this.#span(document, diagnostic.range),
          message:
            typeof diagnostic.message === 'string' ? diagnostic.message : diagnostic.message.value,
        }));
        const found = codeActionsAt(this.#context, document, this.#span(document, range), shown);
        return found
          .filter(({ kind }) => only === undefined || only.some((each) => isKind(kind, each)))
          .map(({ title, kind, changes, isPreferred }): CodeAction => ({
            title,
            kind,
            edit: this.#workspaceEdit(changes),
            ...(isPreferred === true ? { isPreferred } : {}),
          }));
      }),
    );
  }

  #workspaceEdit(changes: Changes): WorkspaceEdit {
    const isVersioned = this.#capabilities.workspace?.workspaceEdit?.documentChanges === true;
    const edits = [...changes].map(([path, own]) => {
      const text = this.#model.document(path)?.text ?? '';
      return {
        path,
        edits: own.map((change): TextEdit => ({
          range: this.#positions.rangeOf(text, change),
          newText: change.text,
        })),
      };
    });
    if (!isVersioned)
      return {
        changes: Object.fromEntries(
          edits.map(({ path, edits: own }) => [this.#uris.uriOf(path), own]),
        ),
      };
    return {
      documentChanges: edits.flatMap(({ path, edits: own }) => {
        const uri = this.#uris.uriOf(path);
        const edit: TextDocumentEdit = {
          textDocument: { uri, version: this.#versions.get(path) ?? null },
          edits: own,
        };
        return this.#model.document(path) === undefined
          ? [{ kind: 'create' as const, uri, options: { ignoreIfExists: true } }, edit]
          : [edit];
      }),
    };
  }

  #commands(): void {
    const connection = this.#connection;
    connection.onNotification(
      'terrane/plan',
      ({ uri, file }: { readonly uri: string; readonly file: string | null }) => {
        void this.#takePlan(this.#uris.folderPath(uri), file).catch((error: unknown) =>
          this.#failed('plan', error),
        );
      },
    );
    connection.onExecuteCommand(
      this.#guard('executeCommand', async ({ command, arguments: values = [] }) => {
        if (!COMMANDS.includes(command))
          throw new ResponseError(
            ErrorCodes.InvalidParams,
            `There is no command ${JSON.stringify(command)}.`,
          );
        const [uri, argument]: readonly unknown[] = values;
        if (typeof uri !== 'string') return null;
        if (command === EXPLAIN_COMMAND) return this.#explained(uri, argument);
        if (command === TEST_COMMAND && typeof argument === 'string')
          return await this.#runTest(uri, argument);
        if (command === REFERENCES_COMMAND) return this.#referencesAt(uri, argument);
        return null;
      }),
    );
  }

  /** Reads a saved plan for lenses; null forgets the last one. Evaluating a plan may start providers. */
  async #takePlan(directory: string, file: string | null): Promise<void> {
    this.#plans.delete(directory);
    if (file !== null && this.#settings.trusted) {
      const engine = this.#engines.of(directory);
      if (engine.configuration === undefined) await engine.load(this.#settings);
      const read = await readPlan(engine.project, file);
      if ('plan' in read) this.#plans.set(directory, read.plan);
      else {
        const [first] = read.diagnostics;
        const reason = first === undefined ? '' : ` ${first.summary}: ${first.detail}`;
        this.#connection.console.warn(`The plan could not be read.${reason}`);
      }
    }
    this.#refresh();
  }

  /** The places that refer to a declaration, for clients that show them for a lens. */
  #referencesAt(uri: string, position: unknown): readonly Location[] | null {
    const document = this.#document(uri);
    if (document === undefined || typeof position !== 'object' || position === null) return null;
    const { line, character } = position as {
      readonly line?: unknown;
      readonly character?: unknown;
    };
    if (typeof line !== 'number' || typeof character !== 'number') return null;
    const occurrence = this.#model.occurrenceAt(
      document,
      this.#offset(document, { line, character }),
    );
    const target =
      occurrence === undefined ? undefined : this.#model.targetOf(document, occurrence);
    if (target === undefined) return null;
    return this.#model
      .occurrencesOf(target)
      .filter(({ occurrence: { role } }) => role !== 'declaration')
      .map((each) => this.#location(each));
  }

  #explained(uri: string, addresses: unknown): string | null {
    const plan = this.#plans.get(this.#uris.folderPath(uri));
    if (plan === undefined || !Array.isArray(addresses)) return null;
    const text = explainedText(
      plan,
      addresses.filter((each) => typeof each === 'string'),
    );
    this.#show(MessageType.Info, text);
    return text;
  }

  /** Shows a message that needs no answer. */
  #show(type: MessageType, message: string): void {
    this.#connection
      .sendNotification(ShowMessageNotification.type, { type, message })
      .then(undefined, (error: unknown) => this.#failed('showMessage', error));
  }

  async #runTest(uri: string, run: string): Promise<string | null> {
    if (!this.#settings.trusted) {
      this.#show(MessageType.Warning, 'Tests are executed in trusted workspaces only.');
      return null;
    }
    const document = this.#document(uri);
    if (document === undefined) return null;
    const directory = this.#model.moduleDirectoryOf(document);
    const { project } = this.#engines.of(directory);
    const { message, isPassed } = await runTestBlock(project, directory, document.path, run);
    this.#show(isPassed ? MessageType.Info : MessageType.Error, message);
    return message;
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

  #span({ text }: SourceDocument, { start, end }: Range): Span {
    const from = this.#positions.offsetOf(text, start);
    return { start: from, end: Math.max(from, this.#positions.offsetOf(text, end)) };
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
      this.#checkState();
      try {
        return await answer(params);
      } catch (error) {
        if (error instanceof ResponseError) throw error;
        this.#failed(what, error);
        return null;
      }
    };
  }

  /** Rejects requests before `initialize` and after `shutdown`. */
  #checkState(): void {
    if (!this.#isInitialized)
      throw new ResponseError(ErrorCodes.ServerNotInitialized, 'The server is not initialized.');
    if (this.#isShutDown)
      throw new ResponseError(ErrorCodes.InvalidRequest, 'The server is shut down.');
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

/** Commands of code lenses, which the server executes. */
const EXPLAIN_COMMAND = 'terrane.server.explain';
const TEST_COMMAND = 'terrane.server.runTest';
const REFERENCES_COMMAND = 'terrane.server.references';
const COMMANDS: readonly string[] = [EXPLAIN_COMMAND, TEST_COMMAND, REFERENCES_COMMAND];

/** The error code of requests that cannot be done, LSPErrorCodes.RequestFailed. */
const REQUEST_FAILED = -32803;

/** Returns true for a kind and its sub-kinds. */
function isKind(kind: string, wanted: string): boolean {
  return wanted === '' || kind === wanted || kind.startsWith(`${wanted}.`);
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
