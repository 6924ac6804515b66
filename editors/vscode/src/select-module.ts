import { window } from 'vscode';
import type { RootModule, RootModules } from './root-module.ts';

/** Prompts for the root module of the commands and views. */
export async function selectModule(
  roots: RootModules,
  row?: { readonly module?: RootModule },
): Promise<boolean> {
  if (row?.module !== undefined) {
    await roots.select(row.module);
    return true;
  }
  const found = await roots.find();
  const items = found.map((module) => ({ label: module.label, module }));
  const picked = await window.showQuickPick(items, {
    title: 'Root module',
    placeHolder: 'Root module of the commands and views',
  });
  if (picked === undefined) return false;
  await roots.select(picked.module);
  return true;
}
