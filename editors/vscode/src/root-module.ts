import {
  type Memento,
  RelativePattern,
  Uri,
  window,
  workspace,
  type WorkspaceFolder,
} from 'vscode';

/** Names of files that make a folder a module. */
const CONFIGURATION = '{*.tf,*.tofu,*.tf.json,*.tofu.json}';
const EXCLUDED =
  '**/{.terraform,.terrane,.git,node_modules,terraform.tfstate.d,.terragrunt-cache}/**';
const LOCAL_SOURCE = /^\s*source\s*=\s*"(\.{1,2}\/[^"$]*)"/gm;
const KEY = 'rootModule';

/** A folder with configuration that no other folder of the workspace calls as a module. */
export interface RootModule {
  readonly uri: Uri;
  /** path that is shown: relative to the workspace folder, or its name */
  readonly label: string;
  readonly folder: WorkspaceFolder;
}

/** Returns the folder that contains a file or folder. */
export function parentOf(uri: Uri): Uri {
  return Uri.joinPath(uri, '..');
}

function labelOf(uri: Uri, folder: WorkspaceFolder): string {
  const path = workspace.asRelativePath(uri, false);
  return uri.toString() === folder.uri.toString() || path === '' ? folder.name : path;
}

/** Returns folders of modules that a text calls by a local path. */
function calledFolders(text: string, folder: Uri): Uri[] {
  return [...text.matchAll(LOCAL_SOURCE)].map(([, source = '']) => Uri.joinPath(folder, source));
}

const key = (uri: Uri): string => uri.toString().replace(/\/+$/, '');

/** Finds root modules, and remembers which one is selected. */
export class RootModules {
  readonly #memory: Memento;
  #found: Promise<readonly RootModule[]> | undefined;

  constructor(memory: Memento) {
    this.#memory = memory;
  }

  /** Forgets what was found, because files were created or deleted. */
  invalidate(): void {
    this.#found = undefined;
  }

  /** Returns the root modules of all workspace folders, in the order of their paths. */
  async find(): Promise<readonly RootModule[]> {
    this.#found ??= this.#search();
    return await this.#found;
  }

  async #search(): Promise<readonly RootModule[]> {
    const folders = new Map<string, Uri>();
    const called = new Set<string>();
    for (const folder of workspace.workspaceFolders ?? []) {
      const pattern = new RelativePattern(folder, `**/${CONFIGURATION}`);
      const files = await workspace.findFiles(pattern, EXCLUDED, 20_000);
      for (const file of files) folders.set(key(parentOf(file)), parentOf(file));
      for (let index = 0; index < files.length; index += 64) {
        const read = files.slice(index, index + 64).map(async (file) => {
          const text = new TextDecoder().decode(await workspace.fs.readFile(file));
          for (const target of calledFolders(text, parentOf(file))) called.add(key(target));
        });
        await Promise.allSettled(read);
      }
    }
    const roots = [...folders.values()].filter((uri) => !called.has(key(uri)));
    return roots
      .flatMap((uri): RootModule[] => {
        const folder = workspace.getWorkspaceFolder(uri);
        return folder === undefined ? [] : [{ uri, folder, label: labelOf(uri, folder) }];
      })
      .sort((a, b) => (a.uri.path < b.uri.path ? -1 : 1));
  }

  /**
   * Returns the selected root module: the one that was chosen, the one of the active file, or the first. Undefined if
   * no folder has configuration.
   */
  async selected(): Promise<RootModule | undefined> {
    const roots = await this.find();
    const chosen = this.#memory.get<string>(KEY);
    const active = window.activeTextEditor?.document.uri;
    return (
      roots.find(({ uri }) => key(uri) === chosen) ??
      (active === undefined
        ? undefined
        : roots.find(({ uri }) => key(uri) === key(parentOf(active)))) ??
      roots[0]
    );
  }

  /** Returns the root module in a folder; undefined if there is none. */
  async at(folder: Uri | undefined): Promise<RootModule | undefined> {
    if (folder === undefined) return undefined;
    return (await this.find()).find(({ uri }) => key(uri) === key(folder));
  }

  async select(module: RootModule): Promise<void> {
    await this.#memory.update(KEY, key(module.uri));
  }
}
