import {
  type Event,
  EventEmitter,
  ThemeIcon,
  type TreeDataProvider,
  TreeItem,
  TreeItemCollapsibleState,
  workspace,
} from 'vscode';
import type { Program } from '../program.ts';
import type { RootModule, RootModules } from '../root-module.ts';

/** A module that a root module calls, directly or not. */
interface Call {
  readonly key: string;
  readonly source: string;
  readonly version: string;
}

/** A row: a root module, a call, or a note in their place. */
export type ModuleNode =
  | { readonly kind: 'root'; readonly module: RootModule }
  | { readonly kind: 'call'; readonly module: RootModule; readonly call: Call }
  | { readonly kind: 'note'; readonly text: string };

/** The view "Modules": root modules, with the modules that they call. */
export class ModulesView implements TreeDataProvider<ModuleNode> {
  readonly #roots: RootModules;
  readonly #program: Program | undefined;
  readonly #calls = new Map<string, Promise<readonly Call[] | undefined>>();
  readonly #changed = new EventEmitter<undefined>();
  readonly onDidChangeTreeData: Event<undefined> = this.#changed.event;

  constructor(roots: RootModules, program: Program | undefined) {
    this.#roots = roots;
    this.#program = program;
  }

  refresh(): void {
    this.#calls.clear();
    this.#changed.fire(undefined);
  }

  async getTreeItem(node: ModuleNode): Promise<TreeItem> {
    if (node.kind === 'note') return new TreeItem(node.text);
    if (node.kind === 'call') {
      const { key, source, version } = node.call;
      const hasCalls = (await this.#callsOf(node.module))?.some(({ key: other }) =>
        other.startsWith(`${key}.`),
      );
      const item = new TreeItem(
        key.slice(key.lastIndexOf('.') + 1),
        hasCalls === true ? TreeItemCollapsibleState.Collapsed : TreeItemCollapsibleState.None,
      );
      item.description = version === '' ? source : `${source} ${version}`;
      item.iconPath = new ThemeIcon('symbol-module');
      return item;
    }
    const { module } = node;
    const item = new TreeItem(module.label, TreeItemCollapsibleState.Collapsed);
    const selected = await this.#roots.selected();
    const isSelected = selected?.uri.toString() === module.uri.toString();
    item.iconPath = new ThemeIcon(isSelected ? 'root-folder-opened' : 'root-folder');
    if (isSelected) item.description = 'selected';
    item.contextValue = 'terrane.root';
    item.tooltip = module.uri.fsPath;
    return item;
  }

  async getChildren(node?: ModuleNode): Promise<ModuleNode[]> {
    if (node === undefined) {
      const roots = await this.#roots.find();
      return roots.map((module) => ({ kind: 'root', module }));
    }
    if (node.kind === 'note') return [];
    const calls = await this.#callsOf(node.module);
    if (calls === undefined) {
      return [{ kind: 'note', text: 'Needs a trusted workspace on a disk' }];
    }
    const prefix = node.kind === 'root' ? '' : `${node.call.key}.`;
    const children = calls.filter(
      ({ key }) => key.startsWith(prefix) && !key.slice(prefix.length).includes('.'),
    );
    if (children.length === 0 && node.kind === 'root') {
      return [{ kind: 'note', text: 'Calls no modules' }];
    }
    return children.map((call) => ({ kind: 'call', module: node.module, call }));
  }

  async #callsOf({ uri }: RootModule): Promise<readonly Call[] | undefined> {
    const program = this.#program;
    if (program === undefined || !workspace.isTrusted) return undefined;
    const known = this.#calls.get(uri.toString());
    if (known !== undefined) return await known;
    const calls = program.run(['modules', '-json'], uri).then(({ code, stdout }) => {
      if (code !== 0) return [];
      const { modules } = JSON.parse(stdout) as { readonly modules: readonly Call[] };
      return modules.filter(({ key }) => key !== '');
    });
    this.#calls.set(uri.toString(), calls);
    return await calls;
  }
}
