import type { PlanInput, PlanOptions, State } from '@terrane/engine';
import type { RunRequest } from './run/run-request.ts';

/** Options of a run that plans, with the options of its plan. */
export interface PlanRequest extends RunRequest, PlanOptions {
  /** derives the planned state from the stored one, for plans that are only displayed: such a plan cannot be saved */
  readonly over?: (state: State) => State;
  /** changes of the state that the plan begins with, and that applying it records; they change no object */
  readonly initialEvents?: NonNullable<PlanInput['initialEvents']>;
}

/**
 * Returns the options of a request that apply to its plan. The engine uses the other field names with another meaning.
 */
export function planOptions(request: PlanRequest): PlanOptions {
  const {
    state: _state,
    variables: _variables,
    parallelism: _parallelism,
    over: _over,
    initialEvents: _initialEvents,
    snapshot: _snapshot,
    ...options
  } = request;
  return options;
}
