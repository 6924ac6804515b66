import { EMPTY_STATE, openConsole, type InputValue, type VariableOption } from '@terrane/engine';
import { collectVariables, finalizeVariables, missingVariables } from '@terrane/engine';
import { unknownOf, type Value } from '@terrane/cty';
import { hasErrors, type Diagnostic, type Source } from '@terrane/hcl';
import { loadProject } from './load-project.ts';
import { withLockedState, type Outcome } from './locked-state.ts';
import { DEFAULT_PARALLELISM, openProviders, openState, settingsOf } from './open-run.ts';
import type { Project } from './project.ts';
import type { RunPorts } from './run-ports.ts';
import type { StateOptions } from './state-options.ts';

/** A console over a configuration and its state. */
export interface Console {
  readonly ask: (source: Source) => {
    readonly value?: Value;
    readonly diagnostics: readonly Diagnostic[];
  };
  /** what was wrong on the way here; expressions may give less than they should because of it */
  readonly diagnostics: readonly Diagnostic[];
}

/** Opens a console, lets `use` ask it, and closes it. The state stays locked meanwhile. */
export async function withConsole(
  project: Project,
  request: { readonly state: StateOptions; readonly variables: readonly VariableOption[] },
  ports: RunPorts,
  use: (console: Console) => Promise<void>,
): Promise<readonly Diagnostic[]> {
  const loaded = await loadProject(project);
  const { configuration } = loaded;
  if (configuration === undefined || hasErrors(loaded.diagnostics)) return loaded.diagnostics;
  const opened = await openState(project, configuration, request.state);
  if (opened.place === undefined) return opened.diagnostics;
  const { manager, workspace } = opened.place;
  const collected = collectVariables(project.host, '.', request.variables);
  if (hasErrors(collected.diagnostics)) return collected.diagnostics;
  const lockPorts = { ...ports, clock: project.host.clock };
  const outcome = await withLockedState(
    manager,
    request.state,
    'OperationTypeInvalid',
    lockPorts,
    async (base): Promise<Outcome<never>> => {
      const state = base?.state ?? EMPTY_STATE;
      const diagnostics: Diagnostic[] = [];
      const providers = await openProviders(project, configuration, state, diagnostics);
      if (providers === undefined) return { diagnostics };
      const given = new Map<string, InputValue>(collected.values);
      for (const { name, type } of missingVariables(configuration, given)) {
        given.set(name, { source: 'input', value: unknownOf(type) });
      }
      const variables = finalizeVariables(configuration, given);
      diagnostics.push(...variables.diagnostics, ...[...variables.unsuitable.values()].flat());
      if (hasErrors(diagnostics)) return { diagnostics };
      const settings = settingsOf(
        project,
        configuration,
        providers,
        workspace,
        DEFAULT_PARALLELISM,
        ports,
        variables.values,
      );
      const console = await openConsole({ ...settings, state });
      const problems = [
        ...loaded.diagnostics,
        ...collected.diagnostics,
        ...diagnostics,
        ...console.diagnostics,
      ];
      await use({ ask: console.ask, diagnostics: problems });
      return { diagnostics: [] };
    },
  );
  return outcome.diagnostics;
}
