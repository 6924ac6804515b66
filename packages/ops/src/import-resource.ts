import type { InstanceAddr, ModuleInstance } from '@terrane/addresses';
import { type Configuration, makePlan, nextStateFile } from '@terrane/engine';
import { errorDiagnostic, hasErrors } from '@terrane/hcl';
import { deprecationsOnce } from './deprecations-once.ts';
import { hasConfiguration } from './load-project.ts';
import type { Outcome } from './locked-state.ts';
import type { Project } from './project.ts';
import { loadRun } from './run/load-run.ts';
import { placeLocalRun } from './run/place-run.ts';
import { type ReadyRun, withReadyRun } from './run/ready-run.ts';
import { observedState } from './observed-state.ts';
import type { RunRequest } from './run/run-request.ts';
import type { RunPorts } from './run-ports.ts';

/** The object to import and its address. */
export interface ImportRequest extends RunRequest {
  /** instance of a managed resource that the configuration declares */
  readonly addr: InstanceAddr;
  /** import ID of the provider */
  readonly id: string;
}

/** The result of an import. `undeclared`: the configuration does not declare the resource. */
export type Imported = 'imported' | 'undeclared';

/**
 * Imports an existing object into the state without a plan or approval. The resource must be declared; differences
 * between its configuration and the object appear in the next plan.
 */
export async function importResource(
  project: Project,
  request: ImportRequest,
  ports: RunPorts,
): Promise<Outcome<Imported>> {
  const { addr, id } = request;
  if (!hasConfiguration(project)) {
    const directory = project.configurationDirectory ?? project.host.environment.cwd;
    const detail = `The directory ${directory} does not contain any Terraform configuration files (.tf or .tf.json). To specify a different configuration directory, use the -config="..." command line option.`;
    return { diagnostics: [errorDiagnostic('No Terraform configuration files', detail)] };
  }
  const loaded = await loadRun(project, request, { kind: 'import' });
  if (loaded.result === undefined) return { diagnostics: loaded.diagnostics };
  const undeclared = checkDeclared(loaded.result.configuration, addr);
  if (undeclared !== undefined) return undeclared;
  const { result: placed, diagnostics } = await placeLocalRun(loaded.result);
  if (placed === undefined) return { diagnostics };
  return await withReadyRun(placed, ports, (run) => importObject(run, addr, id));
}

async function importObject(
  run: ReadyRun,
  addr: InstanceAddr,
  id: string,
): Promise<Outcome<Imported>> {
  const { project, settings, givenVariables, state, warnings, opened, providers } = run;
  const planned = await makePlan({
    ...settings,
    givenVariables,
    state,
    mode: 'refresh-only',
    refresh: false,
    targets: [],
    targetTexts: [],
    replace: [],
    adoption: { addr, id },
  });
  const { plan } = planned;
  const diagnostics = deprecationsOnce([...warnings, ...planned.diagnostics]);
  if (plan === undefined || hasErrors(diagnostics)) return { diagnostics };
  const storedState = observedState(run.storedState, {
    project,
    operation: 'import',
    opened,
    plan,
    providers: providers.chosen,
  });
  const next = nextStateFile(storedState.file, plan.priorState, () => project.host.random.uuid());
  const problems = await storedState.write(next);
  return {
    ...(hasErrors(problems) ? {} : { result: 'imported' }),
    diagnostics: [...diagnostics, ...problems],
  };
}

/** Returns the result of an import whose resource is not declared; undefined if it is. */
function checkDeclared(
  configuration: Configuration,
  { resource: { module, resource } }: InstanceAddr,
): Outcome<Imported> | undefined {
  const declaringModule = configuration.modules.get(module.path.text);
  if (declaringModule === undefined) return { diagnostics: [missingModule(module)] };
  return declaringModule.resources.has(resource.text)
    ? undefined
    : { result: 'undeclared', diagnostics: [] };
}

function missingModule(module: ModuleInstance): ReturnType<typeof errorDiagnostic> {
  return errorDiagnostic(
    'Import to non-existent module',
    `${module.text} is not defined in the configuration. Please add configuration for this module before importing into it.`,
  );
}
