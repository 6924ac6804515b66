import type { InstanceAddr, ModuleInstance } from '@terrane/addresses';
import { type Configuration, makePlan, nextStateFile } from '@terrane/engine';
import { errorDiagnostic, hasErrors } from '@terrane/hcl';
import { deprecationsOnce } from './deprecations-once.ts';
import { hasConfiguration } from './load-project.ts';
import type { Outcome } from './locked-state.ts';
import { withOpenRun, type RunRequest } from './open-run.ts';
import type { Project } from './project.ts';
import type { RunPorts } from './run-ports.ts';

/** What to take into the state, and under which address. */
export interface ImportRequest extends RunRequest {
  /** of a managed resource that the configuration declares */
  readonly addr: InstanceAddr;
  /** what the provider knows the object by */
  readonly id: string;
}

/** What became of an import: it was done, or the configuration does not declare the resource. */
export type Imported = 'imported' | 'undeclared';

/**
 * Takes an object that exists into the state, without asking and without a plan. Its configuration has to be there
 * already; what it says of the object is looked at by the next plan.
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
  const check = (configuration: Configuration): Outcome<Imported> | undefined =>
    declared(configuration, addr);
  return await withOpenRun<Imported>(
    project,
    request,
    ports,
    'OperationTypeInvalid',
    async (run) => {
      const { plan, diagnostics: found } = await makePlan({
        ...run.settings,
        givenVariables: run.givenVariables,
        state: run.state,
        mode: 'refresh-only',
        refresh: false,
        targets: [],
        targetTexts: [],
        replace: [],
        adoption: { addr, id },
      });
      const diagnostics = deprecationsOnce([...run.diagnostics, ...found]);
      if (plan === undefined || hasErrors(diagnostics)) return { diagnostics };
      const next = nextStateFile(run.base, plan.priorState, () => project.host.random.uuid());
      const problems = await run.manager.write(next);
      return {
        ...(hasErrors(problems) ? {} : { result: 'imported' }),
        diagnostics: [...diagnostics, ...problems],
      };
    },
    { check, changesHere: true },
  );
}

function declared(
  configuration: Configuration,
  { resource: { module, resource } }: InstanceAddr,
): Outcome<Imported> | undefined {
  const found = configuration.modules.get(module.path.text);
  if (found === undefined) return { diagnostics: [missingModule(module)] };
  return found.resources.has(resource.text) ? undefined : { result: 'undeclared', diagnostics: [] };
}

function missingModule(module: ModuleInstance): ReturnType<typeof errorDiagnostic> {
  return errorDiagnostic(
    'Import to non-existent module',
    `${module.text} is not defined in the configuration. Please add configuration for this module before importing into it.`,
  );
}
