import type { Plan } from '@terrane/engine';

/** The displayed part of a plan. */
export type ShownPlan = Pick<
  Plan,
  | 'mode'
  | 'changes'
  | 'drift'
  | 'deferred'
  | 'invocations'
  | 'outputs'
  | 'relevant'
  | 'errored'
  | 'schemas'
> &
  Partial<Pick<Plan, 'configuration'>>;
