import type { Module, ProviderSource, StateFile } from '@terrane/engine';
import { errorDiagnostic, hasErrors, type Diagnostic } from '@terrane/hcl';
import { hasConfiguration, loadProject } from './load-project.ts';
import type { Outcome } from './locked-state.ts';
import type { Project } from './project.ts';
import { providersOfState } from './provider-requirements.ts';
import { readState } from './read-state.ts';

/** The providers that a module asks for, with its constraints, and those of the modules below. */
export interface ProviderTree {
  readonly providers: ReadonlyMap<ProviderSource, readonly string[]>;
  readonly children: ReadonlyMap<string, ProviderTree>;
}

/** Which module, and which objects in the state, need which providers. */
export async function providerTree(
  project: Project,
): Promise<Outcome<{ readonly tree: ProviderTree; readonly ofState: readonly ProviderSource[] }>> {
  if (!hasConfiguration(project)) {
    return {
      diagnostics: [
        errorDiagnostic(
          'No configuration files',
          `The directory ${project.host.environment.cwd} contains no Terraform configuration files.`,
        ),
      ],
    };
  }
  const { configuration, diagnostics } = await loadProject(project);
  if (configuration === undefined || hasErrors(diagnostics)) return { diagnostics };
  const read = await readState(project);
  if (hasErrors(read.diagnostics)) return { diagnostics: read.diagnostics };
  const all: readonly Diagnostic[] = [...diagnostics, ...read.diagnostics];
  const result = { tree: treeOf(configuration.root), ofState: sourcesOf(read.file) };
  return { result, diagnostics: all };
}

function sourcesOf(file: StateFile | undefined): readonly ProviderSource[] {
  const sources = file === undefined ? [] : [...providersOfState(file.state)];
  return sources.sort((a, b) => (a.text < b.text ? -1 : 1));
}

function treeOf(module: Module): ProviderTree {
  const providers = new Map<ProviderSource, string[]>();
  const need = (source: ProviderSource, constraint: string | undefined): void => {
    const constraints = providers.get(source) ?? [];
    if (constraint !== undefined && constraint !== '') constraints.push(constraint);
    providers.set(source, constraints);
  };
  for (const { source, constraint } of module.requiredProviders.values()) need(source, constraint);
  for (const resource of module.resources.values()) need(resource.provider, undefined);
  for (const block of module.providers.values()) {
    need(module.providerSource(block.name), block.version);
  }
  const children = [...module.children].map(([name, child]) => [name, treeOf(child)] as const);
  return {
    providers: new Map([...providers].sort(([a], [b]) => (a.text < b.text ? -1 : 1))),
    children: new Map(children),
  };
}
