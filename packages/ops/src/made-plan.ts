import type { Plan, StateFile } from '@terrane/engine';

/** A plan, incomplete if there are errors, and the state that it was created from. */
export interface MadePlan {
  readonly plan: Plan;
  readonly base: StateFile | undefined;
  /** configuration was written for imported objects */
  readonly generatedConfig?: boolean;
}
