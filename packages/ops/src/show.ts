import {
  type Configuration,
  EMPTY_STATE,
  type Plan,
  type Schemas,
  type StateFile,
} from '@terrane/engine';
import { errorDiagnostic, hasErrors, type Diagnostic } from '@terrane/hcl';
import { userErrorText } from '@terrane/host';
import { hasConfiguration, loadProject, loadRootModule } from './load-project.ts';
import { openEncryptionOf } from './encryption.ts';
import { openProviders } from './open-providers.ts';
import { problemsText } from './problems-text.ts';
import type { Project } from './project.ts';
import { readState, readStateAt } from './read-state.ts';
import type { RemotePlan } from './remote-runs/show-bookmark.ts';
import { MANY_INSTANCES } from './run/ready-run.ts';
import { NoPlanFile, openSavedPlan } from './saved-plan.ts';

/** The object to show: a plan, or a state with the schemas needed to render it. */
export type Shown =
  | { readonly kind: 'plan'; readonly plan: Plan }
  /** a plan that a server stores */
  | { readonly kind: 'remote-plan'; readonly plan: RemotePlan }
  | { readonly kind: 'state'; readonly file: StateFile | undefined; readonly schemas: Schemas };

/**
 * Reads the workspace's state, or a file: a saved plan, a bookmark of a server's plan, or a state. Server plans are
 * redacted unless JSON is requested.
 */
export async function show(
  project: Project,
  path?: string,
  options: { readonly asJson: boolean } = { asJson: false },
): Promise<{ readonly shown?: Shown; readonly diagnostics: readonly Diagnostic[] }> {
  if (path === undefined) return await showState(project, await readState(project, undefined, ''));
  const { readBookmark } = await import('./remote-runs/plan-bookmark.ts');
  const bookmark = await readBookmark(project.host.files, path);
  if (bookmark !== undefined) {
    const { showBookmark } = await import('./remote-runs/show-bookmark.ts');
    const { plan, diagnostics } = await showBookmark(project, bookmark, !options.asJson);
    return plan === undefined
      ? { diagnostics }
      : { shown: { kind: 'remote-plan', plan }, diagnostics };
  }
  let planProblem: string;
  try {
    const { result, diagnostics } = await openSavedPlan(project, path);
    if (result === undefined) return { diagnostics };
    await result.providers.close();
    return { shown: { kind: 'plan', plan: result.plan }, diagnostics };
  } catch (error) {
    if (!(error instanceof NoPlanFile)) throw error;
    planProblem = error.message;
    if (error.isPlan) {
      return {
        diagnostics: [
          errorDiagnostic("Couldn't show local plan", `Plan read error: ${planProblem}`),
        ],
      };
    }
  }
  let stateProblem: string;
  try {
    const encrypted = await openEncryptionOf(
      project,
      (await loadRootModule(project)).configuration,
    );
    if (hasErrors(encrypted.diagnostics)) return { diagnostics: encrypted.diagnostics };
    const stateCodec = encrypted.encryption?.state;
    const read = await readStateAt({ ...project, stateCodec }, path);
    if (read.file !== undefined) return await showState(project, read);
    stateProblem = `Error reading ${path} as a statefile: ${read.file === undefined && !hasErrors(read.diagnostics) ? 'no state' : problemsText(read.diagnostics)}`;
  } catch (error) {
    stateProblem = `Error loading statefile: ${userErrorText(error, path)}`;
  }
  return {
    diagnostics: [
      errorDiagnostic(
        'Failed to read the given file as a state or plan file',
        `State read error: ${stateProblem}\n\nPlan read error: ${planProblem}`,
      ),
    ],
  };
}

const NO_SCHEMAS: Schemas = { provider: () => undefined, resource: () => undefined };

async function showState(
  project: Project,
  read: { readonly file?: StateFile | undefined; readonly diagnostics: readonly Diagnostic[] },
): Promise<{ readonly shown?: Shown; readonly diagnostics: readonly Diagnostic[] }> {
  if (hasErrors(read.diagnostics)) return { diagnostics: read.diagnostics };
  // Without a state, errors of the configuration are irrelevant.
  if (read.file === undefined) {
    return { shown: { kind: 'state', file: undefined, schemas: NO_SCHEMAS }, diagnostics: [] };
  }
  if (read.file.state.instanceCount > MANY_INSTANCES) await project.host.limitHeapGrowth?.();
  const { schemas, diagnostics } = await schemasFor(project, read.file);
  if (schemas === undefined) return { diagnostics };
  return { shown: { kind: 'state', file: read.file, schemas }, diagnostics: [] };
}

/** A configuration to be shown; with the schemas of its providers where all of it is. */
export interface ShownConfiguration {
  readonly configuration?: Configuration;
  readonly schemas?: Schemas;
  readonly diagnostics: readonly Diagnostic[];
}

/** Loads the configuration with all modules and provider schemas, without the state. */
export async function showConfiguration(project: Project): Promise<ShownConfiguration> {
  if (!hasConfiguration(project)) {
    const detail = 'This directory contains no Terraform configuration files.';
    return { diagnostics: [errorDiagnostic('No configuration files', detail)] };
  }
  const { configuration, diagnostics: loading } = await loadProject(project);
  if (configuration === undefined || hasErrors(loading)) return { diagnostics: loading };
  const diagnostics: Diagnostic[] = [...loading];
  const schemas = await openProviders(project, configuration, EMPTY_STATE, diagnostics);
  if (schemas === undefined) return { diagnostics };
  await schemas.close();
  return { configuration, schemas, diagnostics };
}

/** Loads the module in a directory by itself; its child modules and providers may be missing. */
export async function showModule(project: Project, directory: string): Promise<ShownConfiguration> {
  const alone = { ...project, configurationDirectory: directory };
  const { configuration, diagnostics } = await loadRootModule(alone);
  if (configuration === undefined || hasErrors(diagnostics)) return { diagnostics };
  return { configuration, diagnostics };
}

/** Schemas of the providers that a configuration and a state need. */
export async function schemasFor(
  project: Project,
  file: StateFile | undefined,
): Promise<{ readonly schemas?: Schemas; readonly diagnostics: readonly Diagnostic[] }> {
  const { configuration, diagnostics: loading } = await loadProject(project);
  if (hasErrors(loading)) return { diagnostics: loading };
  const diagnostics: Diagnostic[] = [];
  const schemas = await openProviders(
    project,
    configuration,
    file?.state ?? EMPTY_STATE,
    diagnostics,
  );
  if (schemas === undefined) return { diagnostics };
  await schemas.close();
  return { schemas, diagnostics };
}
