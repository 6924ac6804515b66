import {
  type Event,
  EventEmitter,
  ThemeColor,
  ThemeIcon,
  type TreeDataProvider,
  TreeItem,
  TreeItemCollapsibleState,
} from 'vscode';
import type { Action, LastPlan, PlannedChange } from '../plan-summary.ts';
import type { Plans } from '../plans.ts';
import type { RootModule, RootModules } from '../root-module.ts';

/** A row: an action with its changes, a change, or the changed outputs. */
export type PlanNode =
  | {
      readonly kind: 'action';
      readonly action: Action;
      readonly plan: LastPlan;
      readonly module: RootModule;
    }
  | {
      readonly kind: 'change';
      readonly change: PlannedChange;
      readonly module: RootModule;
      readonly address: string;
    }
  | { readonly kind: 'outputs'; readonly names: readonly string[] }
  | { readonly kind: 'output'; readonly name: string }
  | { readonly kind: 'note'; readonly text: string };

/** The labels and icons of actions, in display order. */
const ACTIONS: Readonly<Record<Action, readonly [title: string, icon: string, color: string]>> = {
  create: ['Create', 'add', 'charts.green'],
  replace: ['Replace', 'arrow-swap', 'charts.orange'],
  update: ['Update in place', 'edit', 'charts.yellow'],
  delete: ['Destroy', 'remove', 'charts.red'],
  import: ['Import', 'cloud-download', 'charts.blue'],
  move: ['Move', 'arrow-right', 'charts.blue'],
  forget: ['Forget', 'circle-slash', 'charts.purple'],
  read: ['Read', 'eye', 'charts.blue'],
};

/** The view "Last Plan": the changes of the selected module, by action. */
export class PlanView implements TreeDataProvider<PlanNode> {
  readonly #roots: RootModules;
  readonly #plans: Plans | undefined;
  readonly #changed = new EventEmitter<undefined>();
  readonly onDidChangeTreeData: Event<undefined> = this.#changed.event;

  constructor(roots: RootModules, plans: Plans | undefined) {
    this.#roots = roots;
    this.#plans = plans;
  }

  refresh(): void {
    this.#changed.fire(undefined);
  }

  getTreeItem(node: PlanNode): TreeItem {
    switch (node.kind) {
      case 'note':
        return new TreeItem(node.text);
      case 'outputs': {
        const item = new TreeItem('Outputs', TreeItemCollapsibleState.Collapsed);
        item.iconPath = new ThemeIcon('output');
        item.description = String(node.names.length);
        return item;
      }
      case 'output':
        return new TreeItem(`output.${node.name}`);
      case 'action': {
        const [title, icon, color] = ACTIONS[node.action];
        const item = new TreeItem(title, TreeItemCollapsibleState.Expanded);
        item.iconPath = new ThemeIcon(icon, new ThemeColor(color));
        item.description = String(changesOf(node.plan, node.action).length);
        return item;
      }
      case 'change': {
        const item = new TreeItem(node.change.address);
        item.contextValue = 'terrane.change';
        item.tooltip = `${node.change.address}${reasonOf(node.change)}`;
        item.command = { command: 'terrane.explain', title: 'Explain', arguments: [node] };
        return item;
      }
    }
  }

  async getChildren(node?: PlanNode): Promise<PlanNode[]> {
    if (node === undefined) {
      const module = await this.#roots.selected();
      const plan = module === undefined ? undefined : this.#plans?.get(module);
      if (module === undefined || plan === undefined) return [];
      const actions = (Object.keys(ACTIONS) as Action[]).filter(
        (action) => changesOf(plan, action).length > 0,
      );
      const rows: PlanNode[] = actions.map((action) => ({ kind: 'action', action, plan, module }));
      if (plan.outputs.length > 0) rows.push({ kind: 'outputs', names: plan.outputs });
      return rows.length === 0 ? [{ kind: 'note', text: 'No changes' }] : rows;
    }
    if (node.kind === 'outputs') return node.names.map((name) => ({ kind: 'output', name }));
    if (node.kind !== 'action') return [];
    const { module } = node;
    return changesOf(node.plan, node.action).map((change) => ({
      kind: 'change',
      change,
      module,
      address: change.address,
    }));
  }
}

function changesOf(plan: LastPlan, action: Action): readonly PlannedChange[] {
  return plan.changes.filter((change) => change.action === action);
}

function reasonOf({ reason }: PlannedChange): string {
  return reason === undefined ? '' : `\n${reason.replaceAll('_', ' ')}`;
}
