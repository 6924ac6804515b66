import type { Path, Value } from '@terrane/cty';
import type {
  PlannedChange,
  DeferredChange,
  PlannedInvocation,
  DeferredInvocation,
} from '../objects/change.ts';
import type { FunctionResult } from '../evaluate/function-results.ts';
import type { Configuration, Schemas } from '../config/model.ts';
import type { VariableOrigin } from '../config/variable-origin.ts';
import type { StateEvent } from '../state/event.ts';
import type { CheckResults, State } from '../state/model.ts';
import type { Step } from './step.ts';

/** The change of one output value of the root module. */
export interface OutputChange {
  readonly name: string;
  readonly action: 'no-op' | 'create' | 'update' | 'delete';
  readonly before: Value;
  readonly after: Value;
  /** true if it is or was sensitive */
  readonly sensitive: boolean;
}

/** An operation with a plan of its own, such as an undo. */
export interface PlanPurpose {
  /** name of the operation for observers: `undo` */
  readonly operation: string;
  /** ID of the run whose changes the plan reverts */
  readonly reverts?: string;
}

/** The result of planning and its basis. */
export interface Plan {
  readonly mode: 'normal' | 'destroy' | 'refresh-only';
  /** no-ops included; by address, then by deposed key */
  readonly changes: readonly PlannedChange[];
  /** drift: changes made outside of Terraform since the previous run, found by the refresh */
  readonly drift: readonly PlannedChange[];
  /** changes that are deferred to a later plan, by address */
  readonly deferred: readonly DeferredChange[];
  /** calls of modules with unknown instances, as `module.a[*]` */
  readonly deferredModules: readonly string[];
  /** action invocations that deferred changes trigger, sorted by trigger */
  readonly deferredInvocations: readonly DeferredInvocation[];
  /** sorted by trigger, then in execution order; those requested by the user come first */
  readonly invocations: readonly PlannedInvocation[];
  /** root module, by name */
  readonly outputs: readonly OutputChange[];
  /** the state after the refresh */
  readonly priorState: State;
  /** the state before the refresh, after moves */
  readonly previousState: State;
  /**
   * Events that lead from the recorded state to `priorState`: moves, upgrades and refreshes. A destroy plan also
   * removes data sources here, which `priorState` still contains.
   */
  readonly adopted: readonly StateEvent[];
  readonly checks: CheckResults;
  /** the variables as the caller set them, without conversion and marks; without ephemeral variables */
  readonly variables: ReadonlyMap<string, Value>;
  /** the origins of the variables that were set */
  readonly variableOrigins?: ReadonlyMap<string, VariableOrigin>;
  /** ephemeral variables that were set and must be set again for the apply */
  readonly applyTimeVariables: readonly string[];
  /** attributes that contributed to the result; drift of others can be omitted */
  readonly relevant: readonly { readonly resource: string; readonly attribute: Path }[];
  /** RFC 3339 */
  readonly timestamp: string;
  /** results of provider functions, which the apply must reproduce */
  readonly functionResults: readonly FunctionResult[];
  readonly applyable: boolean;
  readonly complete: boolean;
  readonly errored: boolean;
  readonly targets: readonly string[];
  readonly excludes: readonly string[];
  readonly replace: readonly string[];
  readonly steps: readonly Step[];
  /** the operation that the plan belongs to, if it is neither `apply` nor `destroy` */
  readonly purpose?: PlanPurpose;
  /** JSON texts that an inspector attached, by name */
  readonly annotations?: ReadonlyMap<string, string>;
  readonly terraformVersion: string;
  readonly configuration: Configuration;
  readonly schemas: Schemas;
}
