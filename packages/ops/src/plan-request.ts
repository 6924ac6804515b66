import type { PlanOptions } from '@terrane/engine';
import type { RunRequest } from './run/run-request.ts';

/** Options of a run that plans, with the options of its plan. */
export interface PlanRequest extends RunRequest, PlanOptions {}

/**
 * Returns the options of a request that apply to its plan. The engine uses the other field names with another meaning.
 */
export function planOptions(request: PlanRequest): PlanOptions {
  const { state: _state, variables: _variables, parallelism: _parallelism, ...options } = request;
  return options;
}
