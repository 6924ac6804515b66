import type { ModuleInstance } from '@terrane/addresses';
import {
  collectVariables,
  type Configuration,
  EMPTY_STATE,
  finalizeVariables,
  type InputValue,
  missingVariables,
  openConsole,
  type OpenedConsole,
  openPlanConsole,
  type PlanInput,
  type RunSettings,
  type State,
  validateConfiguration,
  type VariableOption,
} from '@terrane/engine';
import { unknownOf, type Value } from '@terrane/cty';
import { hasErrors, type Diagnostic } from '@terrane/hcl';
import { deprecationsOnce } from './deprecations-once.ts';
import { loadProject } from './load-project.ts';
import { withLockedState, type Outcome } from './locked-state.ts';
import { openProviders } from './open-providers.ts';
import { openState } from './opened-state.ts';
import type { Project } from './project.ts';
import type { Providers } from './providers.ts';
import { DEFAULT_PARALLELISM } from './run/run-request.ts';
import { runSettings } from './run/run-settings.ts';
import { SILENT, type RunPorts } from './run-ports.ts';
import type { StateOptions } from './state-options.ts';

/** The options of a console. */
export interface ConsoleRequest {
  readonly state: StateOptions;
  readonly variables: readonly VariableOption[];
  /** true to create a plan, whose planned values expressions refer to */
  readonly plan?: boolean;
  /** the module instance in which expressions are evaluated; the root module by default */
  readonly scope?: ModuleInstance;
}

/**
 * Opens a console for the duration of `use`, with the state locked. `use` receives the diagnostics so far; because of
 * errors, expressions may be less known than expected, or there may be no console.
 */
export async function withConsole(
  project: Project,
  request: ConsoleRequest,
  ports: RunPorts,
  use: (opened: OpenedConsole) => Promise<void>,
): Promise<readonly Diagnostic[]> {
  const loaded = await loadProject(project);
  const { configuration } = loaded;
  if (configuration === undefined || hasErrors(loaded.diagnostics)) return loaded.diagnostics;
  const opened = await openState(project, configuration, request.state);
  if (opened.result === undefined) return opened.diagnostics;
  const { manager, workspace } = opened.result;
  const collected = collectVariables(project.host, '.', request.variables);
  if (hasErrors(collected.diagnostics)) return collected.diagnostics;
  const lockPorts = { ...ports, clock: project.host.clock };
  const outcome = await withLockedState(
    manager,
    request.state,
    'OperationTypeInvalid',
    lockPorts,
    async ({ file: base }): Promise<Outcome<never>> => {
      const state = base?.state ?? EMPTY_STATE;
      const diagnostics: Diagnostic[] = [];
      await using providers = await openProviders(project, configuration, state, diagnostics);
      if (providers === undefined) return { diagnostics };
      const variables = consoleVariables(configuration, collected.values);
      diagnostics.push(...variables.diagnostics, ...[...variables.unsuitable.values()].flat());
      if (hasErrors(diagnostics)) return { diagnostics };
      const settings = runSettings(
        project,
        configuration,
        providers,
        workspace,
        DEFAULT_PARALLELISM,
        ports,
        variables.values,
      );
      const useConsole = async (console: OpenedConsole): Promise<void> => {
        const before = [...loaded.diagnostics, ...collected.diagnostics, ...diagnostics];
        await use({
          ...console,
          diagnostics: deprecationsOnce([...before, ...console.diagnostics]),
        });
      };
      if (request.plan !== true) {
        await openConsole({ ...settings, state, scope: request.scope }, useConsole);
        return { diagnostics: [] };
      }
      // A plan requires a validated configuration.
      const invalid = await validateConfiguration(settings);
      if (hasErrors(invalid)) return { diagnostics: [...diagnostics, ...invalid] };
      diagnostics.push(...invalid);
      await openPlanConsole(planOf(settings, variables.parsed, state), useConsole, request.scope);
      return { diagnostics: [] };
    },
  );
  return outcome.diagnostics;
}

/** Returns the values of variables; unknown for those without one. */
function consoleVariables(
  configuration: Configuration,
  collected: ReadonlyMap<string, InputValue>,
): ReturnType<typeof finalizeVariables> {
  const inputs = new Map(collected);
  for (const { name, type } of missingVariables(configuration, inputs)) {
    inputs.set(name, { source: 'input', value: unknownOf(type) });
  }
  return finalizeVariables(configuration, inputs);
}

function planOf(
  settings: RunSettings,
  givenVariables: ReadonlyMap<string, Value>,
  state: State,
): PlanInput {
  const allTargets = { targets: [], targetTexts: [], replace: [] };
  return { ...settings, ...allTargets, givenVariables, state, mode: 'normal', refresh: true };
}

/** The inputs of {@link openValues}. */
export interface ValuesRequest {
  readonly configuration: Configuration;
  readonly providers: Providers;
  readonly variables: readonly VariableOption[];
  /** the workspace of `terraform.workspace` */
  readonly workspace: string;
  /** objects of resources; without it they are unknown */
  readonly state?: State | undefined;
  readonly scope?: ModuleInstance | undefined;
  /** called between declarations; a promise interrupts the evaluation, and abandons it if it rejects */
  readonly pause?: (() => Promise<void> | undefined) | undefined;
}

/**
 * Opens a console over given objects, without a backend and without a lock, until `closed` resolves. Variables without
 * a value are unknown. Returns diagnostics instead if the configuration cannot be evaluated.
 */
export async function openValues(
  project: Project,
  request: ValuesRequest,
  closed: Promise<void>,
): Promise<OpenedConsole> {
  const { configuration, providers, workspace, scope, state = EMPTY_STATE, pause } = request;
  const collected = collectVariables(project.host, '.', request.variables);
  if (hasErrors(collected.diagnostics)) return { diagnostics: collected.diagnostics };
  const variables = consoleVariables(configuration, collected.values);
  const problems = [...variables.diagnostics, ...[...variables.unsuitable.values()].flat()];
  if (hasErrors(problems)) return { diagnostics: problems };
  const settings = runSettings(
    project,
    configuration,
    providers,
    workspace,
    DEFAULT_PARALLELISM,
    SILENT,
    variables.values,
  );
  return await new Promise((resolve, reject) => {
    openConsole({ ...settings, state, scope, pause }, (opened) => {
      resolve(opened);
      return closed;
    }).catch(reject);
  });
}
