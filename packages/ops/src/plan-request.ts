import type { ActionTarget, InstanceAddr, TargetAddr } from '@terrane/engine';
import type { RunRequest } from './open-run.ts';

/** What to plan. */
export interface PlanRequest extends RunRequest {
  readonly mode: 'normal' | 'destroy' | 'refresh-only';
  readonly refresh: boolean;
  /** whether only objects with changes are looked at; see `minimalRefresh` of the engine */
  readonly minimalRefresh?: boolean;
  readonly targets: readonly TargetAddr[];
  /** as the user wrote them */
  readonly targetTexts: readonly string[];
  /** what is left out, with all that builds on it; an error together with `targets` */
  readonly excludes?: readonly TargetAddr[];
  /** as the user wrote them */
  readonly excludeTexts?: readonly string[];
  /** whether changes may be left to a later plan; see `allowDeferral` of the engine */
  readonly allowDeferral?: boolean;
  readonly replace: readonly InstanceAddr[];
  /** the one action to invoke; the plan is a refresh-only one then */
  readonly invoke?: ActionTarget;
  /** a file, not there yet, to write configuration to for imported objects that have none */
  readonly generateConfigOut?: string;
}
