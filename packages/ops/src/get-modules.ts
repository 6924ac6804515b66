import type { Diagnostic } from '@terrane/hcl';
import { type InitEvent, tellModule } from './initialise.ts';
import { installModules } from './install-modules.ts';
import type { Project } from './project.ts';

/**
 * Installs the modules of a project, and nothing else. What is wrong with the configuration besides only warns:
 * whatever uses it will tell.
 */
export async function getModules(
  project: Project,
  options: { readonly upgrade: boolean; readonly signal: AbortSignal },
  emit: (event: InitEvent) => void,
): Promise<readonly Diagnostic[]> {
  const installed = await installModules(project, { ...options, emit: tellModule(emit) });
  const { diagnostics } = installed.loaded;
  if (installed.failed || installed.interrupted) return diagnostics;
  return diagnostics.map((each) => ({ ...each, severity: 'warning' }));
}
