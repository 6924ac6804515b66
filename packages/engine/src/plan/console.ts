import type { ModuleInstance } from '@terrane/addresses';
import { functionTable, loadFunctionLibraries } from '@terrane/functions';
import type { ConsoleSettings, OpenedConsole } from '../evaluate/console.ts';
import { ProviderSessions } from '../session/provider-sessions.ts';
import type { RunSettings } from '../objects/settings.ts';
import { makePlan } from './plan.ts';
import type { PlanInput } from './settings.ts';

/** Opens a console for a configuration and a state, calls `use` with it, and closes it. */
export async function openConsole(
  settings: RunSettings & Pick<ConsoleSettings, 'state' | 'scope' | 'pause'>,
  use: (opened: OpenedConsole) => Promise<void>,
): Promise<void> {
  await loadFunctionLibraries();
  const options = { baseDir: '.', pure: false };
  const functions = functionTable(settings.functions, options);
  const consoleFunctions = functionTable(settings.functions, { ...options, consoleMode: true });
  const sessions = new ProviderSessions(settings.providers, settings.schemas);
  try {
    // Loaded lazily, because only consoles need it.
    const { openConsoleOver } = await import('../evaluate/console.ts');
    await use(await openConsoleOver({ ...settings, functions, consoleFunctions, sessions }));
  } finally {
    await sessions.close();
  }
}

/**
 * Creates a plan and opens a console with its planned values. Functions that are called only during apply are unknown.
 */
export async function openPlanConsole(
  request: PlanInput,
  use: (opened: OpenedConsole) => Promise<void>,
  scope?: ModuleInstance,
): Promise<void> {
  const { evaluation, diagnostics } = await makePlan(request);
  if (evaluation === undefined) {
    await use({ diagnostics });
    return;
  }
  const { schemas } = request;
  const functions = functionTable(request.functions, {
    baseDir: '.',
    pure: true,
    consoleMode: true,
  });
  // New sessions, because the plan has closed its own.
  const sessions = new ProviderSessions(request.providers, schemas);
  try {
    const { consoleOver } = await import('../evaluate/console.ts');
    const opened = consoleOver(evaluation, scope, schemas, functions, sessions);
    await use({ ...opened, diagnostics: [...diagnostics, ...opened.diagnostics] });
  } finally {
    await sessions.close();
  }
}
