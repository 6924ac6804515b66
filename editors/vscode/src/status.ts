import {
  type Disposable,
  MarkdownString,
  StatusBarAlignment,
  type StatusBarItem,
  window,
} from 'vscode';
import { summaryOf } from './plan-summary.ts';
import type { Plans } from './plans.ts';
import type { RootModules } from './root-module.ts';

/** The status items: the selected root module, and its last plan. */
export class Status implements Disposable {
  readonly #module: StatusBarItem;
  readonly #plan: StatusBarItem;
  readonly #roots: RootModules;
  readonly #plans: Plans | undefined;

  constructor(roots: RootModules, plans: Plans | undefined) {
    this.#roots = roots;
    this.#plans = plans;
    this.#module = window.createStatusBarItem('terrane.module', StatusBarAlignment.Left, 40);
    this.#module.name = 'Terrane: root module';
    this.#module.command = 'terrane.selectModule';
    this.#plan = window.createStatusBarItem('terrane.plan', StatusBarAlignment.Left, 39);
    this.#plan.name = 'Terrane: last plan';
    this.#plan.command = 'terrane.plan.focus';
  }

  async refresh(): Promise<void> {
    const module = await this.#roots.selected();
    if (module === undefined) {
      this.#module.hide();
      this.#plan.hide();
      return;
    }
    this.#module.text = `$(root-folder) ${module.label}`;
    this.#module.tooltip = 'Root module of Terrane’s commands and views. Click to select another.';
    this.#module.show();
    const plan = this.#plans?.get(module);
    if (plan === undefined) {
      this.#plan.hide();
      return;
    }
    this.#plan.text = `$(diff) ${summaryOf(plan)}`;
    const tooltip = new MarkdownString('Last plan: to add, to change, to destroy.\n\n');
    tooltip.appendText(`Made ${plan.created.toLocaleString()}`);
    this.#plan.tooltip = tooltip;
    this.#plan.show();
  }

  dispose(): void {
    this.#module.dispose();
    this.#plan.dispose();
  }
}
