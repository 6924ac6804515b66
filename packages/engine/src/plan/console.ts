import { openConsoleOver, type Console } from '../evaluate/console.ts';
import { loadFunctionLibraries } from '../lang/functions/libraries.ts';
import { functionTable } from '../lang/functions/table.ts';
import type { State } from '../state/model.ts';
import type { RunSettings } from './settings.ts';

/** Opens a console over a configuration and a state, with the functions that it offers there. */
export async function openConsole(
  settings: Omit<RunSettings, 'providers'> & { readonly state: State },
): Promise<Console> {
  await loadFunctionLibraries();
  const functions = functionTable(settings.functions, {
    baseDir: '.',
    pure: false,
    consoleMode: true,
  });
  return await openConsoleOver({ ...settings, functions });
}
