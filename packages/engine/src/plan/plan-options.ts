import type { ActionTarget, InstanceAddr, TargetAddr } from '@terrane/addresses';

/**
 * The options of a plan that its caller selects, for instance by flags. The value is passed unchanged from the caller
 * to the planner: a new option is declared here and used where it applies, without being listed in between.
 */
export interface PlanOptions {
  readonly mode: 'normal' | 'destroy' | 'refresh-only';
  /** compares stored objects with the remote objects */
  readonly refresh: boolean;
  /**
   * Refreshes only objects for which a change is planned, and none that are destroyed, as Terraform 1.17. For normal and
   * destroy plans with `refresh`.
   */
  readonly minimalRefresh?: boolean;
  readonly targets: readonly TargetAddr[];
  /** targets as the user wrote them */
  readonly targetTexts: readonly string[];
  /** objects to exclude, with their dependents, as in OpenTofu; excludes `targets` */
  readonly excludes?: readonly TargetAddr[];
  /** excluded addresses as the user wrote them */
  readonly excludeTexts?: readonly string[];
  /**
   * Defers changes of instances that are not known yet and those that a provider defers, with their dependents, to a
   * later plan, as the experimental `-allow-deferral` of Terraform.
   */
  readonly allowDeferral?: boolean;
  readonly replace: readonly InstanceAddr[];
  /** the action to invoke, in a refresh-only plan of its own */
  readonly invoke?: ActionTarget;
  /** name of the file for the configuration of imported objects; the planner does not write it */
  readonly generateConfigOut?: string;
}
