import type { Diagnostic } from '@terrane/hcl';
import { type InitEvent, forwardModuleEvents } from './initialise.ts';
import { installModules } from './install-modules.ts';
import type { Project } from './project.ts';

/** Installs the modules of a project. Errors between modules are ignored: later commands report them. */
export async function getModules(
  project: Project,
  options: {
    readonly upgrade: boolean;
    readonly testDirectory: string;
    readonly signal: AbortSignal;
  },
  emit: (event: InitEvent) => void,
): Promise<readonly Diagnostic[]> {
  const installed = await installModules(project, {
    ...options,
    onlyComplete: true,
    locks: { readonlyLock: false },
    emit: forwardModuleEvents(emit),
  });
  const { diagnostics, moduleFault, rootFault } = installed.loaded;
  const faulty = moduleFault === true || rootFault !== undefined;
  if (installed.failed || installed.interrupted || faulty) return diagnostics;
  return diagnostics.map((each) => ({ ...each, severity: 'warning' }));
}
