import type { Uri } from 'vscode';
import type { RootModule } from './root-module.ts';

/** The argument of a command: a row of a view, or what a lens is about. */
export interface Row {
  readonly module?: RootModule;
  /** folder of the root module */
  readonly folder?: Uri;
  readonly address?: string;
}
