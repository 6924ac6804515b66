import {
  applyGraph,
  destroyGraph,
  EMPTY_STATE,
  planGraph,
  resourceGraph,
  type NamedGraph,
  type ResourceGraph,
  type State,
} from '@terrane/engine';
import { hasErrors } from '@terrane/hcl';
import { loadProject } from './load-project.ts';
import type { Outcome } from './locked-state.ts';
import { openProviders } from './open-providers.ts';
import type { Project } from './project.ts';
import { readState } from './read-state.ts';
import { tryOpenPlan } from './saved-plan.ts';

/** The subject of a graph: the resources, an operation, or a saved plan. */
export type GraphSubject =
  | {
      readonly kind: 'resources' | 'plan' | 'destroy' | 'apply';
      /** a saved plan that must be there too, though the graph is not of it */
      readonly beside?: string;
    }
  | { readonly kind: 'saved'; readonly path: string };

/** The type of a requested graph. */
export type DrawnGraph =
  | { readonly kind: 'resources'; readonly graph: ResourceGraph; readonly state: State }
  | { readonly kind: 'operation'; readonly graph: NamedGraph };

/**
 * Returns the dependency graph of the configuration and the stored state, or of a saved plan. Does not lock the state.
 */
export async function drawGraph(
  project: Project,
  subject: GraphSubject,
): Promise<Outcome<DrawnGraph>> {
  if (subject.kind === 'saved') {
    const { result, diagnostics } = await tryOpenPlan(project, subject.path);
    if (result === undefined) return { diagnostics };
    await result.providers.close();
    return { result: { kind: 'operation', graph: applyGraph(result.plan) }, diagnostics };
  }
  if (subject.beside !== undefined) {
    const { result, diagnostics } = await tryOpenPlan(project, subject.beside);
    if (result === undefined) return { diagnostics };
    await result.providers.close();
  }
  const { configuration, diagnostics: loading } = await loadProject(project);
  if (configuration === undefined || hasErrors(loading)) return { diagnostics: loading };
  const read = await readState(project);
  if (hasErrors(read.diagnostics)) return { diagnostics: read.diagnostics };
  const state = read.file?.state ?? EMPTY_STATE;
  const diagnostics = [...loading, ...read.diagnostics];
  const schemas = await openProviders(project, configuration, state, diagnostics);
  if (schemas === undefined) return { diagnostics };
  await schemas.close();
  const { graph, diagnostics: problems } =
    subject.kind === 'destroy'
      ? destroyGraph(configuration, state)
      : planGraph(configuration, schemas, state, subject.kind === 'apply' ? 'apply' : 'plan');
  diagnostics.push(...problems);
  if (graph === undefined) return { diagnostics };
  return subject.kind === 'resources'
    ? { result: { kind: 'resources', graph: resourceGraph(graph), state }, diagnostics }
    : { result: { kind: 'operation', graph }, diagnostics };
}
