import type { Clock, Host } from '@terrane/host';
import { memoryHost, type MemoryHost } from '@terrane/testkit';
import { PassThrough } from 'node:stream';
import {
  createProtocolConnection,
  type InitializeResult,
  type PublishDiagnosticsParams,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { type LanguageServer, startOnStreams } from '../node.ts';

/** A client of a server in this process, with files in memory. */
export class TestClient {
  readonly host: MemoryHost;
  readonly server: LanguageServer;
  readonly diagnostics: Map<string, PublishDiagnosticsParams> = new Map();
  readonly logs: string[] = [];
  readonly #connection: ReturnType<typeof createProtocolConnection>;
  #waiting: (() => void)[] = [];
  #version = 1;

  private constructor(host: MemoryHost) {
    this.host = host;
    const [toServer, toClient] = [new PassThrough(), new PassThrough()];
    const clock: Clock = {
      now: () => host.clock.now(),
      monotonicMs: () => host.clock.monotonicMs(),
      // Delays that wait for a pause in typing end immediately.
      sleep: async (_ms, signal) => {
        await Promise.resolve();
        signal?.throwIfAborted();
      },
    };
    const at = (directory: string): Host => ({
      ...host,
      clock,
      environment: { ...host.environment, cwd: directory },
    });
    this.server = startOnStreams(toServer, toClient, { hostAt: at, version: '0' });
    this.#connection = createProtocolConnection(
      new StreamMessageReader(toClient),
      new StreamMessageWriter(toServer),
    );
    this.#connection.onNotification('textDocument/publishDiagnostics', (params) => {
      this.diagnostics.set(params.uri, params);
      for (const resume of this.#waiting.splice(0)) resume();
    });
    this.#connection.onNotification('window/logMessage', ({ message }) => {
      this.logs.push(message);
    });
    this.#connection.onRequest('client/registerCapability', () => null);
    this.#connection.onRequest('workspace/diagnostic/refresh', () => null);
    this.#connection.onRequest('workspace/configuration', () => [{}]);
    this.#connection.listen();
  }
  /** Starts a server for a workspace in `/w`. */
  static async start(
    files: Readonly<Record<string, string>>,
    params: { readonly capabilities?: object; readonly settings?: object } = {},
  ): Promise<TestClient> {
    const host = memoryHost({ cwd: '/w' });
    for (const [path, text] of Object.entries(files)) {
      const absolute = `/w/${path}`;
      await host.files.makeDirectory(absolute.slice(0, absolute.lastIndexOf('/')));
      await host.files.writeFile(absolute, text);
    }
    const client = new TestClient(host);
    await client.initialize(params);
    return client;
  }

  async initialize({
    capabilities = {},
    settings = {},
  }: {
    readonly capabilities?: object;
    readonly settings?: object;
  }): Promise<InitializeResult> {
    const result = await this.request<InitializeResult>('initialize', {
      processId: null,
      rootUri: 'file:///w',
      workspaceFolders: [{ uri: 'file:///w', name: 'w' }],
      capabilities,
      initializationOptions: settings,
    });
    await this.notify('initialized', {});
    return result;
  }

  async request<R>(method: string, params: object): Promise<R> {
    return await this.#connection.sendRequest<R>(method, params);
  }

  async notify(method: string, params: object): Promise<void> {
    await this.#connection.sendNotification(method, params);
  }

  /** Opens a file of the workspace. */
  async open(path: string, languageId = 'terraform'): Promise<string> {
    const text = await this.host.files.readText(`/w/${path}`);
    await this.notify('textDocument/didOpen', {
      textDocument: { uri: uriOf(path), languageId, version: this.#version++, text },
    });
    return text;
  }

  /** Replaces the text of an open document. */
  async change(path: string, text: string): Promise<void> {
    await this.notify('textDocument/didChange', {
      textDocument: { uri: uriOf(path), version: this.#version++ },
      contentChanges: [{ text }],
    });
  }

  /** Sends a request for the position of the first occurrence of a text, plus an offset. */
  async at<R>(method: string, path: string, needle: string, offset = 0, more = {}): Promise<R> {
    const text = await this.text(path);
    return await this.request<R>(`textDocument/${method}`, {
      textDocument: { uri: uriOf(path) },
      position: positionOf(text, text.indexOf(needle) + offset),
      ...more,
    });
  }

  async text(path: string): Promise<string> {
    return await this.host.files.readText(`/w/${path}`);
  }

  /** Waits for diagnostics of a file that satisfy a condition, and returns their messages. */
  async messages(
    path: string,
    isWanted: (messages: readonly string[]) => boolean = () => true,
  ): Promise<readonly string[]> {
    for (;;) {
      const found = this.diagnostics
        .get(uriOf(path))
        ?.diagnostics.map(({ message }) => (typeof message === 'string' ? message : message.value));
      if (found !== undefined && isWanted(found)) return found;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  async stop(): Promise<void> {
    await this.request('shutdown', {});
    await this.server.close();
    this.#connection.dispose();
  }
}

/** The URI of a file of the workspace. */
export function uriOf(path: string): string {
  return `file:///w/${path}`;
}

/** The position of an offset in a text of the basic plane. */
export function positionOf(text: string, offset: number): { line: number; character: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
}
