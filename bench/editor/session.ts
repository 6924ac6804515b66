import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { LspProcess } from '../../tests/editors/lsp-process.ts';

/** A language server that is measured. */
export interface ServerProgram {
  readonly label: string;
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

interface Diagnostics {
  readonly uri: string;
  readonly version?: number;
  readonly diagnostics: readonly unknown[];
}

/** A client of a language server, with the messages that an editor sends. */
export class Session {
  readonly process: LspProcess;
  readonly #root: string;
  readonly #versions = new Map<string, number>();
  readonly started: number = performance.now();

  constructor({ command: [file = '', ...args], environment }: ServerProgram, root: string) {
    this.process = new LspProcess(file, args, { cwd: root, environment });
    this.#root = root;
  }

  async initialize(settings: object = {}): Promise<void> {
    await this.process.request('initialize', {
      processId: process.pid,
      rootUri: pathToFileURL(this.#root).href,
      workspaceFolders: [{ uri: pathToFileURL(this.#root).href, name: 'bench' }],
      initializationOptions: settings,
      capabilities: {
        textDocument: {
          completion: { completionItem: { snippetSupport: true } },
          publishDiagnostics: { versionSupport: true },
          synchronization: { didSave: true },
        },
        workspace: { workspaceFolders: true },
      },
    });
    this.process.notify('initialized', {});
  }

  uri(path: string): string {
    return pathToFileURL(`${this.#root}/${path}`).href;
  }

  /** Opens a file and resolves with its first diagnostics. */
  async open(path: string): Promise<Diagnostics> {
    const published = this.#published(this.uri(path), () => true);
    this.openOnly(path);
    return await published;
  }

  /** Opens a file and resolves when its symbols are answered. */
  async openForSymbols(path: string): Promise<void> {
    this.openOnly(path);
    const textDocument = { uri: this.uri(path) };
    for (;;) {
      const symbols = await this.process.request<readonly unknown[] | null>(
        'textDocument/documentSymbol',
        { textDocument },
      );
      if (symbols !== null && symbols.length > 0) return;
      await delay(5);
    }
  }

  /** Opens a file without waiting for anything. */
  openOnly(path: string): void {
    const uri = this.uri(path);
    this.#versions.set(uri, 1);
    this.process.notify('textDocument/didOpen', {
      textDocument: {
        uri,
        languageId: 'terraform',
        version: 1,
        text: readFileSync(`${this.#root}/${path}`, 'utf8'),
      },
    });
  }

  /** Inserts a text and resolves with the diagnostics that fit the condition. */
  async insert(
    path: string,
    position: { readonly line: number; readonly character: number },
    text: string,
    removed: number,
    until: (diagnostics: readonly unknown[]) => boolean,
  ): Promise<void> {
    const uri = this.uri(path);
    const version = (this.#versions.get(uri) ?? 1) + 1;
    this.#versions.set(uri, version);
    const published = this.#published(uri, ({ diagnostics }) => until(diagnostics));
    const end = { line: position.line, character: position.character + removed };
    this.process.notify('textDocument/didChange', {
      textDocument: { uri, version },
      contentChanges: [{ range: { start: position, end }, text }],
    });
    await published;
  }

  async completion(path: string, line: number, character: number): Promise<number> {
    const answer = await this.process.request<{ readonly items?: readonly unknown[] } | null>(
      'textDocument/completion',
      { textDocument: { uri: this.uri(path) }, position: { line, character } },
    );
    const items = Array.isArray(answer) ? answer : (answer?.items ?? []);
    return items.length;
  }

  async symbols(query: string): Promise<number> {
    const found = await this.process.request<readonly unknown[] | null>('workspace/symbol', {
      query,
    });
    return found?.length ?? 0;
  }

  async #published(
    uri: string,
    matches: (published: Diagnostics) => boolean,
  ): Promise<Diagnostics> {
    return await this.process.next<Diagnostics>(
      'textDocument/publishDiagnostics',
      (published) => published.uri === uri && matches(published),
    );
  }
}
