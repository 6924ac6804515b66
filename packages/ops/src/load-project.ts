import { configurationFiles, loadConfiguration, type LoadResult } from '@terrane/engine';
import { installedModules } from './module-manifest.ts';
import type { Project } from './project.ts';

/** The project's configuration with all modules. */
export function loadProject(project: Project): LoadResult {
  return loadConfiguration(project.host.files, '.', { modules: installedModules(project) });
}

/** Whether the directory holds any configuration file. */
export function hasConfiguration(project: Project): boolean {
  const files = configurationFiles(project.host.files, '.');
  return files !== undefined && files.primary.length + files.overrides.length > 0;
}
