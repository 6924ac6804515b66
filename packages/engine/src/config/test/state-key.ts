import { type ModuleSource, moduleSourceText } from '@terrane/addresses';

/** The key of the state of the configuration under test, unless a run names another one. */
export const MAIN_STATE_KEY = '';

/** Returns the key of the state of a run: the one it names, or that of its module. */
export function stateKeyOf(run: {
  readonly stateKey: string;
  readonly module: { readonly source: ModuleSource } | undefined;
}): string {
  if (run.stateKey !== '') return run.stateKey;
  return run.module === undefined ? MAIN_STATE_KEY : moduleSourceText(run.module.source);
}
