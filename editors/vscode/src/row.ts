import type { RootModule } from './root-module.ts';

/** The argument of a command: a row of a view. */
export interface Row {
  readonly module?: RootModule;
  readonly address?: string;
}
