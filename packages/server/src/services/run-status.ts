/** Statuses of a run that has ended. */
export const FINAL_STATUSES = [
  'applied',
  'canceled',
  'discarded',
  'errored',
  'planned_and_finished',
  'policy_soft_failed',
] as const;

const FINAL: ReadonlySet<string> = new Set(FINAL_STATUSES);
/** Statuses in which the plan of a run can be approved. */
export const CONFIRMABLE_STATUSES = [
  'planned',
  'planned_and_saved',
  'cost_estimated',
  'policy_checked',
] as const;
const CONFIRMABLE: ReadonlySet<string> = new Set(CONFIRMABLE_STATUSES);
const CANCELABLE: ReadonlySet<string> = new Set([
  'pending',
  'pre_plan_running',
  'plan_queued',
  'planning',
  'post_plan_running',
  'confirmed',
  'pre_apply_running',
  'apply_queued',
  'applying',
]);
/** From the approval on, a run may change objects. */
const APPROVED: ReadonlySet<string> = new Set([
  'confirmed',
  'pre_apply_running',
  'apply_queued',
  'applying',
]);

export const isFinal = (status: string): boolean => FINAL.has(status);
export const isConfirmable = (status: string): boolean => CONFIRMABLE.has(status);
export const isCancelable = (status: string): boolean => CANCELABLE.has(status);
/** A run can be discarded while it waits for a decision, or for its turn. */
export const isDiscardable = (status: string): boolean =>
  CONFIRMABLE.has(status) || status === 'pending' || status === 'policy_override';

export const isApproved = (status: string): boolean => APPROVED.has(status);
