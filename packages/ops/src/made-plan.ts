import type { Plan, StateFile } from '@terrane/engine';

/** A plan, perhaps a partial one with errors beside it, and the state that it was made from. */
export interface MadePlan {
  readonly plan: Plan;
  readonly base: StateFile | undefined;
  /** configuration was written for imported objects */
  readonly generatedConfig?: boolean;
}
