import type { InstanceAddr, ProviderConfigAddr } from '@terrane/addresses';
import type { Value } from '@terrane/cty';
import type { Diagnostic, Range } from '@terrane/hcl';
import type { Awaitable } from '@terrane/provider';
import type { PlannedChange } from '../objects/change.ts';
import type { Plan } from './model.ts';

/** A provider configuration with its evaluated block. */
export interface InspectedProvider {
  readonly address: ProviderConfigAddr;
  /** unknown if the block was not evaluated */
  readonly config: Value;
  /** the release in use, if known */
  readonly version?: string;
  /** absent for a provider without a block */
  readonly range?: Range;
}

/** An instance of a module call with the values of its variables. */
export interface InspectedModule {
  /** such as `module.network["a"]` */
  readonly address: string;
  /** the source as Terraform writes it in full, such as "registry.terraform.io/hashicorp/consul/aws" */
  readonly source: string;
  readonly version?: string;
  readonly variables: ReadonlyMap<string, Value>;
  readonly range: Range;
}

/** The data of a run for inspectors. */
export interface InspectedRun {
  readonly providers: readonly InspectedProvider[];
  readonly modules: readonly InspectedModule[];
  /** Reads a data source with a provider of the root module. Rejects with an error for the user. */
  readData(type: string, config: Value): Promise<Value>;
}

/** The judgement of a plan. */
export interface PlanInspection {
  /** errors prevent the apply */
  readonly diagnostics: readonly Diagnostic[];
  /** JSON texts to store with the plan, by name */
  readonly annotations?: ReadonlyMap<string, string>;
}

/** A failed rule that a user overrode. */
export interface OverriddenRule {
  /** address of the rule */
  readonly rule: string;
  /** address of the object; empty for the plan as a whole */
  readonly object: string;
  readonly reason: string;
  /** who overrode it, as "user@host" */
  readonly by: string;
  /** RFC 3339 */
  readonly at: string;
}

/** Judges plans, and the changes of an apply before they are made; policies are an inspector. */
export interface Inspector {
  /** Called with each finished plan without errors; for an apply of a saved plan before its first step. */
  inspectPlan(plan: Plan, run: InspectedRun): Awaitable<PlanInspection>;
  /**
   * Called with the final values of a creation, update or deletion before anything is done for it. Errors prevent the
   * change and everything that depends on it.
   */
  beforeChange(change: PlannedChange): Awaitable<readonly Diagnostic[]>;
  /** Called after a change with the new object; undefined after a deletion. */
  afterChange(addr: InstanceAddr, object: Value | undefined): void;
  /** The overrides so far, for records of the run. */
  overridden?(): readonly OverriddenRule[];
  /** Called after the last step of an apply. */
  afterApply(run: InspectedRun): Awaitable<readonly Diagnostic[]>;
}
