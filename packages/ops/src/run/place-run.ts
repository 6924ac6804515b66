import { collectVariables, type InputValue } from '@terrane/engine';
import { errorDiagnostic, hasErrors, type Diagnostic } from '@terrane/hcl';
import { hasConfiguration } from '../load-project.ts';
import type { Outcome } from '../locked-state.ts';
import {
  openSelectedState,
  selectState,
  type OpenedState,
  type SelectedState,
} from '../opened-state.ts';
import { checkRemoteVersion, resolveRemotePlace, type RemotePlace } from '../remote-version.ts';
import type { LoadedRun } from './load-run.ts';
import { operationProperties } from './operation.ts';
import type { ConfigurationSnapshot } from './run-request.ts';

/** Second stage of a run: the backend is selected, and thereby where the run executes. */
export type PlacedRun = LocalRun | RemoteRun;

/** A run that executes in this process. */
export interface LocalRun extends LoadedRun {
  readonly kind: 'local';
  /** the state of the selected workspace, neither locked nor read yet */
  readonly opened: OpenedState;
  /** input variable values from files, the environment and the command line, not converted */
  readonly inputs: ReadonlyMap<string, InputValue>;
}

/** A run that a server executes. */
export interface RemoteRun extends LoadedRun {
  readonly kind: 'remote';
  readonly place: RemotePlace;
  readonly inputs: ReadonlyMap<string, InputValue>;
}

/**
 * Selects the backend and workspace, which decide where the run executes, and collects input variables. For a run that
 * executes in this process, also opens the state and performs all checks that do not need its lock.
 */
export async function placeRun(loaded: LoadedRun): Promise<Outcome<PlacedRun>> {
  const { result: selected, diagnostics } = await selectForRun(loaded);
  if (selected === undefined) return { diagnostics };
  const remote = await resolveRemotePlace(selected.state);
  if (hasErrors(remote.diagnostics)) return { diagnostics: remote.diagnostics };
  if (remote.result === undefined) return await placeLocally(selected);
  const { inputs } = selected;
  return {
    result: { ...loaded, kind: 'remote', place: remote.result, inputs },
    diagnostics: [],
  };
}

/**
 * Places a run in this process even if a server executes the plans and applies of the workspace. Its Terraform version
 * must then be able to read the state that this version writes.
 */
export async function placeLocalRun(loaded: LoadedRun): Promise<Outcome<LocalRun>> {
  const { result: selected, diagnostics } = await selectForRun(loaded);
  if (selected === undefined) return { diagnostics };
  return await placeLocally(selected, (opened) => checkRemoteVersion(opened, loaded.request.state));
}

/** A loaded run with its selected, unopened state. */
interface SelectedRun {
  readonly loaded: LoadedRun;
  readonly state: SelectedState;
  readonly inputs: ReadonlyMap<string, InputValue>;
  /** warnings of selecting the state */
  readonly selection: readonly Diagnostic[];
  /** warnings of collecting input variables */
  readonly collection: readonly Diagnostic[];
}

async function selectForRun(loaded: LoadedRun): Promise<Outcome<SelectedRun>> {
  const { project, configuration, request } = loaded;
  const { stateConfiguration = configuration } = loaded;
  const { result: state, diagnostics: selection } = await selectState(project, stateConfiguration);
  if (state === undefined) return { diagnostics: selection };
  const { values: inputs, diagnostics: collection } = collectVariables(
    project.host,
    '.',
    request.variables,
  );
  if (hasErrors(collection)) return { diagnostics: collection };
  if (request.snapshot !== undefined) {
    const snapshotInputs = inputsOfSnapshot(loaded, request.snapshot, inputs);
    return {
      result: { loaded, state, inputs: snapshotInputs, selection, collection },
      diagnostics: [],
    };
  }
  return { result: { loaded, state, inputs, selection, collection }, diagnostics: [] };
}

/**
 * Returns the variables of a snapshot. Values of the command line replace them; of the other sources, only variables
 * that the snapshot cannot have are used, which are the ephemeral ones.
 */
function inputsOfSnapshot(
  { configuration }: LoadedRun,
  { variables }: ConfigurationSnapshot,
  collected: ReadonlyMap<string, InputValue>,
): ReadonlyMap<string, InputValue> {
  const inputs = new Map<string, InputValue>();
  for (const [name, { ephemeral }] of configuration.root.variables) {
    const input = collected.get(name);
    const value = variables.get(name);
    const isGiven = input !== undefined && (input.source === 'cli' || input.source === 'file');
    if (isGiven || (ephemeral && input !== undefined)) inputs.set(name, input);
    else if (value !== undefined) inputs.set(name, { source: 'plan', value });
  }
  return inputs;
}

async function placeLocally(
  { loaded, state, inputs, selection, collection }: SelectedRun,
  checkVersion: (opened: OpenedState) => Promise<readonly Diagnostic[]> = () => Promise.resolve([]),
): Promise<Outcome<LocalRun>> {
  const { project, operation, request } = loaded;
  const { missingConfiguration, includesQueries, writes } = operationProperties(operation);
  const { result: opened, diagnostics } = await openSelectedState(state, selection, request.state);
  if (opened === undefined) return { diagnostics };
  const isHere = request.snapshot === undefined;
  if (isHere && missingConfiguration !== undefined && !hasConfiguration(project, includesQueries)) {
    return { diagnostics: [errorDiagnostic('No configuration files', missingConfiguration)] };
  }
  const versions = await checkVersion(opened);
  if (hasErrors(versions)) return { diagnostics: versions };
  if (writes !== undefined) {
    // A missing key must be reported before anything changes, not when the result is to be stored.
    const keys = (await opened.encryption?.prepare(writes)) ?? [];
    if (hasErrors(keys)) return { diagnostics: keys };
  }
  const warnings = [...loaded.warnings, ...diagnostics, ...versions, ...collection];
  return { result: { ...loaded, kind: 'local', opened, inputs, warnings }, diagnostics: [] };
}
