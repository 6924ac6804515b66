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
  /** whether it is or was sensitive */
  readonly sensitive: boolean;
}

/** Everything that was decided, and what it was decided on. */
export interface Plan {
  readonly mode: 'normal' | 'destroy' | 'refresh-only';
  /** no-ops included; by address, then by deposed key */
  readonly changes: readonly PlannedChange[];
  /** changes that were found outside, between the previous run and the refresh */
  readonly drift: readonly PlannedChange[];
  /** changes that have to wait for a later plan, by address */
  readonly deferred: readonly DeferredChange[];
  /** calls of modules whose instances are not known yet, as `module.a[*]` */
  readonly deferredModules: readonly string[];
  /** what the changes that wait trigger, by what triggers them */
  readonly deferredInvocations: readonly DeferredInvocation[];
  /** by what triggers them, in the order in which they are made; those of the user first */
  readonly invocations: readonly PlannedInvocation[];
  /** root module, by name */
  readonly outputs: readonly OutputChange[];
  /** refreshed */
  readonly priorState: State;
  /** before the refresh, after moves */
  readonly previousState: State;
  /**
   * Events that lead from the recorded state to `priorState`: moves, upgrades and refreshes. A destroy plan also
   * removes data sources here, which `priorState` still contains.
   */
  readonly adopted: readonly StateEvent[];
  readonly checks: CheckResults;
  /** what the caller set, as it was set: not converted, not marked; ephemeral variables are left out */
  readonly variables: ReadonlyMap<string, Value>;
  /** where the values came from, of those that were set */
  readonly variableOrigins?: ReadonlyMap<string, VariableOrigin>;
  /** ephemeral variables that were set: whoever applies the plan must set them again */
  readonly applyTimeVariables: readonly string[];
  /** attributes that contributed to the result, so that drift of the others can be left out */
  readonly relevant: readonly { readonly resource: string; readonly attribute: Path }[];
  /** RFC 3339 */
  readonly timestamp: string;
  /** what functions of providers gave: applying the plan must come to the same */
  readonly functionResults: readonly FunctionResult[];
  readonly applyable: boolean;
  readonly complete: boolean;
  readonly errored: boolean;
  readonly targets: readonly string[];
  readonly excludes: readonly string[];
  readonly replace: readonly string[];
  readonly steps: readonly Step[];
  readonly terraformVersion: string;
  readonly configuration: Configuration;
  readonly schemas: Schemas;
}
