import {
  EMPTY_STATE,
  finalizeVariables,
  isOpenCreate,
  type State,
  validateConfiguration,
  variableOrigins,
  withUncertain,
  type WritableState,
} from '@terrane/engine';
import type { Value } from '@terrane/cty';
import { hasErrors, type Diagnostic } from '@terrane/hcl';
import { promptForVariables } from '../ask-variables.ts';
import { withLockedState, type Failure, type Outcome } from '../locked-state.ts';
import { openProviders } from '../open-providers.ts';
import { overrideWarnings } from '../providers-elsewhere.ts';
import { providersInUse } from '../provider-requirements.ts';
import type { Providers } from '../providers.ts';
import type { RunPorts } from '../run-ports.ts';
import { operationProperties } from './operation.ts';
import type { LocalRun } from './place-run.ts';
import { type OperationSettings, runSettings } from './run-settings.ts';

/** Third stage of a run: the state is locked, unless `-lock=false` or a snapshot suffices, and read. */
export interface LockedRun extends LocalRun {
  /** the stored state with the changes of interrupted runs, which the run can change once */
  readonly storedState: WritableState;
  /** the decoded `storedState`; empty if there is none yet */
  readonly state: State;
}

/** Number of instances in a state or a plan above which the memory of a run matters more than its processor time. */
export const MANY_INSTANCES = 50_000;

/** Last stage of a run: providers are open, variables converted and the configuration validated. */
export interface ReadyRun extends LockedRun {
  readonly providers: Providers;
  /** input variable values, parsed but not converted */
  readonly givenVariables: ReadonlyMap<string, Value>;
  readonly settings: OperationSettings;
}

/**
 * Locks and reads the state, prepares the run, executes `work` and releases the lock. An error of a stage ends the run.
 * Providers are closed and the lock is released in any case.
 */
export async function withReadyRun<O extends Failure>(
  local: LocalRun,
  ports: RunPorts,
  work: (run: ReadyRun) => Promise<O>,
): Promise<O | Failure> {
  const { opened, request, operation, project } = local;
  const { lockName, writes } = operationProperties(operation);
  // A saved plan and a changed state must be based on the state that is stored at that time.
  const access = writes === undefined ? request.state : { ...request.state, snapshot: false };
  const lockPorts = { ...ports, clock: project.host.clock };
  return await withLockedState(
    opened.manager,
    access,
    lockName,
    lockPorts,
    async (storedState): Promise<O | Failure> => {
      const state = storedState.file?.state ?? EMPTY_STATE;
      if (state.instanceCount > MANY_INSTANCES) await project.host.limitHeapGrowth?.();
      const locked: LockedRun = { ...local, storedState, state };
      const equipped = await openRunProviders(locked, ports);
      await using providers = equipped.result;
      if (providers === undefined) return { diagnostics: equipped.diagnostics };
      const ready = await prepareRun(locked, providers, equipped.diagnostics, ports);
      return ready.result === undefined
        ? { diagnostics: ready.diagnostics }
        : await work(ready.result);
    },
  );
}

/** Opens the providers of a run. Reports warnings early if a port for them exists; returns them otherwise. */
async function openRunProviders(
  { project, operation, configuration, opened, warnings, storedState, state }: LockedRun,
  ports: RunPorts,
): Promise<Outcome<Providers>> {
  // Objects that interrupted runs may have created need their providers too.
  const required = withUncertain(state, storedState.interrupted.filter(isOpenCreate));
  const { warnsOfOverrides } = operationProperties(operation);
  const diagnostics: Diagnostic[] = warnsOfOverrides ? [...overrideWarnings(project)] : [];
  const { encryption } = opened;
  const providers = await openProviders(project, configuration, required, diagnostics, {
    checkLock: true,
    encryption,
  });
  const early = ports.early === undefined ? [] : diagnostics.filter(isWarning);
  if (early.length > 0) ports.early?.(early);
  const remaining = [...warnings, ...diagnostics.filter((each) => !early.includes(each))];
  if (providers === undefined) return { diagnostics: remaining };
  providers.warm(providersInUse(configuration, required));
  return { result: providers, diagnostics: remaining };
}

/** Completes and converts input variables and validates the configuration. */
async function prepareRun(
  locked: LockedRun,
  providers: Providers,
  before: readonly Diagnostic[],
  ports: RunPorts,
): Promise<Outcome<ReadyRun>> {
  const { project, configuration, opened, parallelism } = locked;
  const inputs = await promptForVariables(configuration, locked.inputs, ports);
  const {
    values,
    ranges,
    unsuitable,
    parsed: givenVariables,
    diagnostics,
  } = finalizeVariables(configuration, inputs);
  const warnings = [...before, ...diagnostics];
  if (hasErrors(warnings)) return { diagnostics: warnings };
  const lockedPorts = { ...ports, lock: locked.storedState.guard };
  const settings: OperationSettings = {
    ...runSettings(
      project,
      configuration,
      providers,
      opened.workspace,
      parallelism,
      lockedPorts,
      values,
    ),
    variableRanges: ranges,
    variableOrigins: variableOrigins(inputs),
    unsuitable,
    constants: new Map(),
  };
  warnings.push(...(await validateConfiguration(settings)));
  if (hasErrors(warnings)) return { diagnostics: warnings };
  const ready: ReadyRun = {
    ...locked,
    warnings,
    providers,
    givenVariables,
    settings,
  };
  return { result: ready, diagnostics: [] };
}

const isWarning = ({ severity }: Diagnostic): boolean => severity === 'warning';
