import type { ProviderSource } from '@terrane/addresses';
import type { Module, StateFile, TestSuite } from '@terrane/engine';
import { errorDiagnostic, hasErrors, type Diagnostic } from '@terrane/hcl';
import { hasConfiguration, loadProject } from './load-project.ts';
import type { Outcome } from './locked-state.ts';
import type { Project } from './project.ts';
import { providersOfState } from './provider-requirements.ts';
import { readState } from './read-state.ts';

/** The provider requirements of a module, with normalised constraints, and those of its child modules. */
export interface ProviderTree {
  readonly providers: ReadonlyMap<ProviderSource, string>;
  readonly children: ReadonlyMap<string, ProviderTree>;
  /** by test file: the modules that its runs execute, by module name */
  readonly tests: ReadonlyMap<string, ReadonlyMap<string, ProviderTree>>;
}

/** Combines the constraints of a provider in normal form; empty without constraints. */
type Normal = (constraints: readonly string[]) => string;

/** Returns the providers required by each module, by the test files of a directory, and by the state. */
export async function providerTree(
  project: Project,
  testDirectory: string,
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
  const loaded = await loadProject(project, project.variables, testDirectory);
  const { configuration, tests, diagnostics } = loaded;
  if (configuration === undefined || hasErrors(diagnostics)) return { diagnostics };
  const read = await readState(project);
  if (hasErrors(read.diagnostics)) return { diagnostics: read.diagnostics };
  const all: readonly Diagnostic[] = [...diagnostics, ...read.diagnostics];
  const { constraintsText, joinConstraints, parseProviderConstraints } =
    await import('@terrane/registry');
  const normal: Normal = (texts) => {
    const parsed = texts.map(parseProviderConstraints);
    const right = parsed.flatMap((constraints) => ('error' in constraints ? [] : [constraints]));
    return constraintsText(joinConstraints(right));
  };
  const tree = { ...treeOf(configuration.root, normal), tests: treesOfTests(tests, normal) };
  const result = { tree, ofState: sourcesOf(read.file) };
  return { result, diagnostics: all };
}

function sourcesOf(file: StateFile | undefined): readonly ProviderSource[] {
  const sources = file === undefined ? [] : [...providersOfState(file.state)];
  return sources.sort((a, b) => (a.text < b.text ? -1 : 1));
}

function treesOfTests(tests: TestSuite | undefined, normal: Normal): ProviderTree['tests'] {
  const files = [...(tests?.files.values() ?? [])];
  return new Map(
    files.map(({ name, runs }) => {
      const trees = runs.flatMap(({ name: run, module }) =>
        module?.configuration === undefined
          ? []
          : [[run, treeOf(module.configuration.root, normal)] as const],
      );
      return [name, new Map(trees)];
    }),
  );
}

function treeOf(module: Module, normal: Normal): ProviderTree {
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
  const children = [...module.children].map(
    ([name, child]) => [name, treeOf(child, normal)] as const,
  );
  return {
    providers: new Map(
      [...providers]
        .sort(([a], [b]) => (a.text < b.text ? -1 : 1))
        .map(([source, constraints]) => [source, normal(constraints)]),
    ),
    children: new Map(children),
    tests: new Map(),
  };
}
