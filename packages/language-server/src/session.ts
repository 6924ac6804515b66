import {
  type AnalysisContext,
  type FoundOccurrence,
  ProjectModel,
  type SourceDocument,
  type Span,
} from '@terrane/analysis';
import type { FunctionSignature } from '@terrane/functions';
import type { Clock, Host } from '@terrane/host';
import { listFunctions } from '@terrane/ops';
import {
  type ClientCapabilities,
  type Connection,
  ErrorCodes,
  type Location,
  type Position,
  type Range,
  ResponseError,
} from 'vscode-languageserver';
import type { LastPlan } from './last-plans.ts';
import { ModuleEngines } from './module-engines.ts';
import { Positions } from './positions.ts';
import { SemanticHighlighter } from './semantic-highlighter.ts';
import type { Settings } from './settings.ts';
import { Uris } from './uris.ts';
import { moduleDirectories } from './workspace-scan.ts';

/** The state that the handlers of the protocol share, and conversions between the protocol and the project model. */
export class Session {
  readonly connection: Connection;
  readonly model: ProjectModel;
  readonly engines: ModuleEngines;
  readonly context: AnalysisContext;
  readonly clock: Clock;
  readonly uris: Uris = new Uris();
  /** versions of open documents by path, as the client counts */
  readonly versions: Map<string, number> = new Map();
  /** the last plan by directory of the root module */
  readonly plans: Map<string, LastPlan> = new Map();
  capabilities: ClientCapabilities = {};
  positions: Positions = new Positions('utf-16');
  highlighter: SemanticHighlighter = new SemanticHighlighter({}, this.positions);
  settings: Settings;
  /** true if the client pulls diagnostics */
  isPulled = false;
  isInitialized = false;
  isShutDown = false;
  readonly #host: Host;
  #folders: readonly string[] = [];
  #scan: Promise<void> | undefined;

  constructor(connection: Connection, hostAt: (directory: string) => Host, settings: Settings) {
    const host = hostAt('/');
    this.connection = connection;
    this.#host = host;
    this.clock = host.clock;
    this.settings = settings;
    this.model = new ProjectModel(host.files);
    this.engines = new ModuleEngines(this.model, hostAt);
    let functions: readonly FunctionSignature[] | undefined;
    this.context = {
      project: this.model,
      schemas: (directory) => this.engines.schemas(directory),
      values: (directory) => this.engines.values(directory),
      get functions() {
        functions ??= functionsOf(host);
        return functions;
      },
    };
  }

  /** The folders of the workspace, as paths. */
  get folders(): readonly string[] {
    return this.#folders;
  }

  set folders(folders: readonly string[]) {
    this.#folders = folders;
    this.#scan = undefined;
  }

  /** Finds the module directories of the workspace, once. */
  scanned(): Promise<void> {
    this.#scan ??= moduleDirectories(this.#host.files, this.folders).then((directories) => {
      this.model.setDirectories(directories);
    });
    return this.#scan;
  }

  /** Returns the current version of a document. */
  document(uri: string): SourceDocument | undefined {
    return this.model.document(this.uris.pathOf(uri));
  }

  /** Converts a position of the protocol. */
  offset({ text }: SourceDocument, position: Position): number {
    return this.positions.offsetOf(text, position);
  }

  /** Converts a range of the protocol. */
  span({ text }: SourceDocument, { start, end }: Range): Span {
    const from = this.positions.offsetOf(text, start);
    return { start: from, end: Math.max(from, this.positions.offsetOf(text, end)) };
  }

  /** Converts a span of a document. */
  range({ text }: SourceDocument, span: Span): Range {
    return this.positions.rangeOf(text, span);
  }

  /** Returns the place of an occurrence. */
  location({ document, occurrence }: FoundOccurrence): Location {
    return {
      uri: this.uris.uriOf(document.path),
      range: this.range(document, occurrence.span),
    };
  }

  /** Lets the client ask again for diagnostics. */
  refreshDiagnostics(): void {
    const { workspace } = this.capabilities;
    if (workspace?.diagnostics?.refreshSupport !== true) return;
    // The client answers without a result.
    this.connection
      .sendRequest('workspace/diagnostic/refresh')
      .catch((error: unknown) => this.failed('refresh', error));
  }

  /** Lets the client ask again for hints and lenses. */
  refresh(): void {
    const { workspace } = this.capabilities;
    if (workspace?.inlayHint?.refreshSupport === true)
      this.connection.languages.inlayHint
        .refresh()
        .catch((error: unknown) => this.failed('refresh', error));
    if (workspace?.codeLens?.refreshSupport === true)
      this.connection
        .sendRequest('workspace/codeLens/refresh')
        .catch((error: unknown) => this.failed('refresh', error));
  }

  /** Wraps a handler for a place in a document. */
  at<R>(
    what: string,
    answer: (document: SourceDocument, offset: number) => R,
  ): (params: { textDocument: { uri: string }; position: Position }) => Promise<R | null> {
    return this.guard(what, ({ textDocument, position }) => {
      const document = this.document(textDocument.uri);
      return document === undefined ? null : answer(document, this.offset(document, position));
    });
  }

  /** Wraps a handler for a document. */
  in<R>(
    what: string,
    answer: (document: SourceDocument) => R,
  ): (params: { textDocument: { uri: string } }) => Promise<R | null> {
    return this.guard(what, ({ textDocument }) => {
      const document = this.document(textDocument.uri);
      return document === undefined ? null : answer(document);
    });
  }

  /** A failed request has no result; the client stays usable. */
  guard<P, R>(
    what: string,
    answer: (params: P) => R | Promise<R> | null,
  ): (params: P) => Promise<R | null> {
    return async (params) => {
      this.checkState();
      try {
        return await answer(params);
      } catch (error) {
        if (error instanceof ResponseError) throw error;
        this.failed(what, error);
        return null;
      }
    };
  }

  /** Rejects requests before `initialize` and after `shutdown`. */
  checkState(): void {
    if (!this.isInitialized)
      throw new ResponseError(ErrorCodes.ServerNotInitialized, 'The server is not initialized.');
    if (this.isShutDown)
      throw new ResponseError(ErrorCodes.InvalidRequest, 'The server is shut down.');
  }

  /** Logs an internal error without its message, which may contain values. */
  failed(what: string, error: unknown): void {
    const frames =
      error instanceof Error
        ? (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
        : [];
    const name = error instanceof Error ? error.name : typeof error;
    this.connection.console.error(
      `Internal error (${what}): ${name}\n${frames.slice(0, 12).join('\n')}`,
    );
  }
}

function functionsOf(host: Host): readonly FunctionSignature[] {
  return listFunctions({
    host,
    originalDirectory: '/',
    dataDirectory: '.terraform',
    variables: [],
  }).filter(({ name }) => !name.startsWith('core::'));
}
