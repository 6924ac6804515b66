import {
  commands,
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

/** A row: a module of the state, or an object. Addresses only, no values. */
export type StateNode =
  | {
      readonly kind: 'module';
      readonly path: string;
      readonly addresses: readonly string[];
      readonly module: RootModule;
    }
  | { readonly kind: 'object'; readonly address: string; readonly module: RootModule };

const MODULE = /^(?:module\.[^.[]+(?:\[(?:\d+|"(?:[^"\\]|\\.)*")\])?\.)+/;

/** The view "State": the objects of the selected module's state, by module. */
export class StateView implements TreeDataProvider<StateNode> {
  readonly #roots: RootModules;
  readonly #program: Program | undefined;
  readonly #changed = new EventEmitter<undefined>();
  readonly onDidChangeTreeData: Event<undefined> = this.#changed.event;

  constructor(roots: RootModules, program: Program | undefined) {
    this.#roots = roots;
    this.#program = program;
  }

  refresh(): void {
    this.#changed.fire(undefined);
  }

  getTreeItem(node: StateNode): TreeItem {
    if (node.kind === 'module') {
      const item = new TreeItem(node.path, TreeItemCollapsibleState.Collapsed);
      item.iconPath = new ThemeIcon('symbol-module');
      item.description = String(node.addresses.length);
      return item;
    }
    const name = node.address.replace(MODULE, '');
    const item = new TreeItem(name);
    item.tooltip = node.address;
    const isData = name.startsWith('data.');
    item.iconPath = new ThemeIcon(isData ? 'eye' : 'symbol-object');
    // Data objects cannot be replaced.
    item.contextValue = isData ? 'terrane.dataObject' : 'terrane.object';
    item.command = { command: 'terrane.showState', title: 'Show', arguments: [node] };
    return item;
  }

  async getChildren(node?: StateNode): Promise<StateNode[]> {
    if (node?.kind === 'object') return [];
    if (node?.kind === 'module') {
      const { module } = node;
      return node.addresses.map((address) => ({ kind: 'object', address, module }));
    }
    const program = this.#program;
    const module = await this.#roots.selected();
    if (program === undefined || module === undefined || !workspace.isTrusted) return [];
    const { code, stdout, stderr } = await program.run(['state', 'list', '-no-color'], module.uri);
    const isEmpty = code !== 0 && /No state file was found|No state/.test(stderr);
    await commands.executeCommand('setContext', 'terrane.stateError', code !== 0 && !isEmpty);
    if (code !== 0) return [];
    const byModule = Map.groupBy(
      stdout.split('\n').filter((line) => line !== ''),
      (address) => MODULE.exec(address)?.[0].slice(0, -1) ?? '',
    );
    return [...byModule].flatMap(([path, addresses]): StateNode[] =>
      path === ''
        ? addresses.map((address) => ({ kind: 'object', address, module }))
        : [{ kind: 'module', path, addresses, module }],
    );
  }
}
