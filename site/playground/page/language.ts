import { autocompletion } from '@codemirror/autocomplete';
import { ChangeSet, type Extension, Text, type TransactionSpec } from '@codemirror/state';
import { type EditorView, keymap } from '@codemirror/view';
import {
  formatKeymap,
  hoverTooltips,
  jumpToDefinitionKeymap,
  LSPClient,
  LSPPlugin,
  renameKeymap,
  serverCompletion,
  signatureHelp,
  Workspace,
  type WorkspaceFile,
} from '@codemirror/lsp-client';
import { sanitizedHtml } from './sanitized-html.ts';

/** The files of the page, of which one is in the editor. */
export interface ProjectFiles {
  readonly paths: () => readonly string[];
  readonly textOf: (path: string) => string;
  /** replaces the text of a file that is not in the editor */
  readonly replace: (path: string, text: string) => void;
  /** shows a file in the editor */
  readonly show: (path: string) => EditorView;
}

/** The client of the language server that runs in the worker. */
export interface LanguageClient {
  /** Returns the extension of the editor for a file, empty for files that the server does not know. */
  extensionOf(path: string): Extension;
  /** resolves when the server has answered the first request */
  readonly ready: Promise<unknown>;
  /** Notes that files were added, removed or replaced outside of the editor. */
  filesChanged(): void;
}

/** The folder of the worker's files. */
const ROOT = 'file:///project';

const LANGUAGES: readonly (readonly [ending: RegExp, id: string])[] = [
  [/\.(?:tfvars|tofuvars)$/, 'terraform-vars'],
  [/\.(?:tftest|tofutest)\.hcl$/, 'terraform-test'],
  [/\.(?:tf|tofu)$/, 'terraform'],
  [/\.tf(?:vars)?\.json$/, 'json'],
];

const languageOf = (path: string): string | undefined =>
  LANGUAGES.find(([ending]) => ending.test(path))?.[1];

const uriOf = (path: string): string =>
  `${ROOT}/${path.split('/').map(encodeURIComponent).join('/')}`;

const pathOf = (uri: string): string => decodeURIComponent(uri.slice(ROOT.length + 1));

/** Connects to the server behind a port. */
export function connectLanguageServer(port: MessagePort, project: ProjectFiles): LanguageClient {
  const handlers = new Set<(message: string) => void>();
  port.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    for (const handler of handlers) handler(JSON.stringify(data));
  });
  port.start();
  let workspace: ProjectWorkspace | undefined;
  const client = new LSPClient({
    rootUri: ROOT,
    // A run of the program keeps the worker busy.
    timeout: 60_000,
    workspace: (created) => (workspace = new ProjectWorkspace(created, project)),
    sanitizeHTML: sanitizedHtml,
    // The page shows the diagnostics of all files, so the editor does not show those of the server.
    extensions: [
      autocompletion(),
      serverCompletion(),
      hoverTooltips(),
      signatureHelp(),
      keymap.of([...jumpToDefinitionKeymap, ...renameKeymap, ...formatKeymap]),
    ],
  });
  client.connect({
    send: (message) => port.postMessage(JSON.parse(message)),
    subscribe: (handler) => void handlers.add(handler),
    unsubscribe: (handler) => void handlers.delete(handler),
  });
  return {
    extensionOf: (path) => {
      const language = languageOf(path);
      return language === undefined ? [] : client.plugin(uriOf(path), language);
    },
    ready: client.initializing,
    filesChanged: () => workspace?.filesChanged(),
  };
}

class ProjectFile implements WorkspaceFile {
  readonly uri: string;
  readonly languageId: string;
  version = 0;
  doc: Text;
  view: EditorView | null = null;

  constructor(uri: string, languageId: string, doc: Text) {
    this.uri = uri;
    this.languageId = languageId;
    this.doc = doc;
  }

  getView(): EditorView | null {
    return this.view;
  }
}

/** All files of the page: the server knows unsaved changes of each. */
class ProjectWorkspace extends Workspace {
  override files: ProjectFile[] = [];
  readonly #project: ProjectFiles;

  constructor(client: LSPClient, project: ProjectFiles) {
    super(client);
    this.#project = project;
  }

  /** Notifications are sent once the client is initialized. */
  override connected(): void {
    super.connected();
    this.filesChanged();
  }

  filesChanged(): void {
    const paths = new Set(this.#project.paths().filter((path) => languageOf(path) !== undefined));
    for (const file of this.files) {
      if (paths.has(pathOf(file.uri)) || file.view !== null) continue;
      this.files = this.files.filter((each) => each !== file);
      this.client.didClose(file.uri);
    }
    for (const path of paths) if (this.#find(uriOf(path)) === undefined) this.#add(path);
    if (this.client.serverCapabilities !== null) this.client.sync();
  }

  override syncFiles(): ReturnType<Workspace['syncFiles']> {
    return this.files.flatMap((file) => {
      const plugin = file.view === null ? null : LSPPlugin.get(file.view);
      const prevDoc = file.doc;
      const doc =
        file.view?.state.doc ?? Text.of(this.#project.textOf(pathOf(file.uri)).split('\n'));
      const known = plugin?.unsyncedChanges;
      // The text may also have been replaced while the file was not in the editor.
      const changes =
        known !== undefined && known.length === prevDoc.length && known.apply(prevDoc).eq(doc)
          ? known
          : ChangeSet.of({ from: 0, to: prevDoc.length, insert: doc }, prevDoc.length);
      plugin?.clear();
      if (doc.eq(prevDoc)) return [];
      file.doc = doc;
      file.version++;
      return [{ file, prevDoc, changes }];
    });
  }

  override openFile(uri: string, languageId: string, view: EditorView): void {
    const file = this.#find(uri) ?? this.#add(pathOf(uri), languageId);
    if (file !== undefined) file.view = view;
  }

  override closeFile(uri: string, view: EditorView): void {
    const file = this.#find(uri);
    if (file?.view === view) file.view = null;
  }

  override updateFile(uri: string, update: TransactionSpec): void {
    const file = this.#find(uri);
    if (file === undefined) return;
    if (file.view !== null) {
      file.view.dispatch(update);
      return;
    }
    const { changes = [] } = update;
    const text = ChangeSet.of(changes, file.doc.length).apply(file.doc).toString();
    this.#project.replace(pathOf(uri), text);
  }

  override displayFile(uri: string): Promise<EditorView | null> {
    return Promise.resolve(this.#find(uri) === undefined ? null : this.#project.show(pathOf(uri)));
  }

  #find(uri: string): ProjectFile | undefined {
    return this.files.find((file) => file.uri === uri);
  }

  #add(path: string, languageId = languageOf(path)): ProjectFile | undefined {
    if (languageId === undefined) return undefined;
    const text = Text.of(this.#project.textOf(path).split('\n'));
    const file = new ProjectFile(uriOf(path), languageId, text);
    this.files.push(file);
    this.client.didOpen(file);
    return file;
  }
}
