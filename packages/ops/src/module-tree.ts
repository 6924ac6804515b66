import { moduleSourceText } from '@terrane/addresses';
import type { Module } from '@terrane/engine';
import { hasErrors } from '@terrane/hcl';
import { readModuleManifest, type ModuleRecord } from '@terrane/registry/module-manifest';
import { loadProject } from './load-project.ts';
import type { Outcome } from './locked-state.ts';
import { modulesDirectory } from './module-manifest.ts';
import type { Project } from './project.ts';

/** A module call, and the calls of that module. */
export interface ModuleTree {
  /** name of the call */
  readonly key: string;
  /** normalised */
  readonly source: string;
  /** the version that is installed, where the source is a registry */
  readonly version: string | undefined;
  /** the version constraint of the call, as written */
  readonly constraint: string | undefined;
  /** in the order of their names */
  readonly children: readonly ModuleTree[];
}

/** The modules that the configuration calls, as they are installed. */
export async function moduleTree(project: Project): Promise<Outcome<readonly ModuleTree[]>> {
  const { configuration, diagnostics } = await loadProject(project);
  if (configuration === undefined || hasErrors(diagnostics)) return { diagnostics };
  const read = readModuleManifest(project.host.files, modulesDirectory(project));
  const records: ReadonlyMap<string, ModuleRecord> = 'error' in read ? new Map() : read.records;
  return { result: treesOf(configuration.root, records), diagnostics };
}

function treesOf(
  module: Module,
  records: ReadonlyMap<string, ModuleRecord>,
): readonly ModuleTree[] {
  return [...module.children]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, child]) => {
      const { source, version } = child.call ?? {};
      return {
        key,
        source: source === undefined ? '' : moduleSourceText(source),
        version: records.get(child.path.names.join('.'))?.version,
        constraint: version,
        children: treesOf(child, records),
      };
    });
}
