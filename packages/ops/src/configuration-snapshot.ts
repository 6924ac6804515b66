import {
  type Configuration,
  type InputValue,
  type LoadResult,
  type ModuleSourcePort,
  type PlanFile,
  snapshotFiles,
} from '@terrane/engine';
import { moduleManifestText, parseModuleManifest } from '@terrane/registry/module-manifest';
import { loadWithConstants } from './load-project.ts';
import { installedModules, recordedModules, recordsOf } from './module-manifest.ts';
import type { Project } from './project.ts';
import type { ConfigurationSnapshot } from './run/run-request.ts';
import { selectedWorkspace } from './workspace.ts';

/** The configuration file of a plan with the locations of its modules. */
export const MODULES = '.terraform/modules/modules.json';

/** Returns the files of a configuration by path, including its modules and their locations. */
export function configurationSources(configuration: Configuration): ReadonlyMap<string, string> {
  const files = [...configuration.sources].map(([name, { text }]) => [name, text] as const);
  return new Map([...files, [MODULES, moduleManifestText(recordsOf(configuration))]]);
}

/** Locates the modules of a saved plan in its files. */
export function modulesOf(project: Project, files: PlanFile['files']): ModuleSourcePort {
  if (files.statSync(MODULES) === undefined) return installedModules(project);
  const read = parseModuleManifest(new TextDecoder().decode(files.readFileSync(MODULES)));
  return 'error' in read ? installedModules(project) : recordedModules(read.records);
}

/** Loads a configuration of another time, with the modules that it had then. */
export async function loadSnapshot(
  project: Project,
  { files: texts, variables }: ConfigurationSnapshot,
): Promise<LoadResult> {
  const files = snapshotFiles(texts);
  const { name: workspace } = await selectedWorkspace(project);
  const inputOf = (name: string): InputValue | undefined => {
    const value = variables.get(name);
    return value === undefined ? undefined : { source: 'plan', value };
  };
  return await loadWithConstants(project, files, inputOf, workspace, {
    modules: modulesOf(project, files),
  });
}
