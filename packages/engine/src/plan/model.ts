import type { ActionInstanceAddr, InstanceAddr, ProviderConfigAddr } from '@terrane/addresses';
import type { Path, Value } from '@terrane/cty';
import type { Diagnostic } from '@terrane/hcl';
import type { FunctionResult } from '../evaluate/function-results.ts';
import type { ActionEvent, ActionTrigger, Configuration, Schemas } from '../config/model.ts';
import type { VariableOrigin } from '../config/variable-origin.ts';
import type { EphemeralEvent } from '../session/ephemerals.ts';
import type { StateEvent } from '../state/event.ts';
import type { CheckResults, State } from '../state/model.ts';
import type { Step } from './step.ts';

/** What a plan does with one object. */
export type Action =
  | 'no-op'
  | 'create'
  | 'read'
  | 'update'
  | 'delete'
  | 'delete-then-create'
  | 'create-then-delete'
  | 'forget'
  | 'create-then-forget'
  | 'forget-then-create';

/** Why an action was chosen where the values alone do not show it; the words of the plan JSON. */
export type ActionReason =
  | 'replace_because_tainted'
  | 'replace_because_cannot_update'
  | 'replace_by_request'
  | 'replace_by_triggers'
  | 'delete_because_no_resource_config'
  | 'delete_because_wrong_repetition'
  | 'delete_because_count_index'
  | 'delete_because_each_key'
  | 'delete_because_no_module'
  | 'delete_because_no_move_target'
  | 'delete_because_enabled_false'
  | 'forgot_because_lifecycle_destroy_in_config'
  | 'forgot_because_lifecycle_destroy_in_state'
  | 'read_because_config_unknown'
  | 'read_because_dependency_pending'
  | 'read_because_check_nested';

/** The change planned for one object of one resource instance. */
export interface PlannedChange {
  readonly addr: InstanceAddr;
  /** address at the end of the previous run; equal to `addr` unless it moved */
  readonly previousAddr: InstanceAddr;
  /** key of the deposed object that the change is about; absent for the current one */
  readonly deposed?: string;
  readonly provider: ProviderConfigAddr;
  readonly action: Action;
  readonly reason?: ActionReason;
  /** module instance whose `enabled` is false, which is why the object is deleted; absent for other reasons */
  readonly disabledModule?: string;
  /**
   * The object before and after, with sensitive marks of configuration and schema; a null value
   * where there is none. Of the schema's implied type, dynamic parts concrete.
   */
  readonly before: Value;
  readonly after: Value;
  readonly schemaVersion: number;
  /** paths whose change makes an in-place update impossible */
  readonly requiredReplace: readonly Path[];
  readonly private?: Uint8Array;
  readonly importing?: { readonly id?: string; readonly identity?: Value };
  /** text of the `resource` block that was written for it */
  readonly generatedConfig?: string;
  /** what the object is known by, where the provider tells; after may be unknown */
  readonly beforeIdentity?: Value;
  readonly afterIdentity?: Value;
}

/** The part of a change that tells what its object is known by. */
export function identities(
  before: Value | undefined,
  after: Value | undefined,
): Pick<PlannedChange, 'beforeIdentity' | 'afterIdentity'> {
  return {
    ...(before === undefined ? {} : { beforeIdentity: before }),
    ...(after === undefined ? {} : { afterIdentity: after }),
  };
}

/** Why a change is left to a later plan; the words of the plan JSON. */
export type DeferredReason =
  | 'instance_count_unknown'
  | 'resource_config_unknown'
  | 'provider_config_unknown'
  | 'absent_prereq'
  | 'deferred_prereq'
  | 'unknown';

/** A change that a later plan makes: what is known of it now, and why it has to wait. */
export interface DeferredChange {
  /** its address may have `[*]` for keys that are not known yet */
  readonly change: PlannedChange;
  readonly reason: DeferredReason;
}

/** What makes an action be invoked. */
export type InvocationTrigger =
  | {
      readonly kind: 'lifecycle';
      readonly resource: InstanceAddr;
      readonly event: ActionEvent;
      /** positions of the `action_trigger` block and of the action in it */
      readonly block: number;
      readonly position: number;
      readonly onFailure: ActionTrigger['onFailure'];
    }
  /** asked for by the user; `caller` is what the action's `caller` stands for */
  | { readonly kind: 'invoke'; readonly caller?: InstanceAddr };

/** One planned invocation of an instance of an action. */
export interface PlannedInvocation {
  readonly addr: ActionInstanceAddr;
  readonly provider: ProviderConfigAddr;
  readonly trigger: InvocationTrigger;
  /** of the schema's implied type, with sensitive marks, ephemeral parts null; null without `config` block */
  readonly config: Value;
}

/** An invocation that waits for the change that triggers it, whose configuration is null. */
export interface DeferredInvocation {
  readonly invocation: PlannedInvocation;
  readonly reason: DeferredReason;
}

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
   * What leads from the state on record to `priorState`: moves, upgrades, what the refresh found. A
   * destroy plan also lets go of data sources here, which `priorState` still has.
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

/** An object that a query found. */
export interface FoundObject {
  readonly displayName: string;
  readonly identity: Value;
  /** null where it was not asked for, as is what is sensitive in it */
  readonly resource: Value;
  /** configuration to import it with, where that was asked for */
  readonly generated?: GeneratedImport;
}

/** Configuration for an object that exists: a `resource` block, and an `import` block for it. */
export interface GeneratedImport {
  readonly resource: string;
  readonly import: string;
}

/** What an instance of a `list` block found. */
export interface QueryResult {
  readonly addr: InstanceAddr;
  readonly found: readonly FoundObject[];
}

/** What happens while planning and applying, for the live view and the machine-readable stream. */
export type RunEvent =
  | {
      readonly kind: 'refresh-start' | 'refresh-complete';
      readonly addr: InstanceAddr;
      readonly deposed?: string;
      readonly idKey?: string;
      readonly idValue?: string;
    }
  | {
      readonly kind: 'read-start' | 'read-complete';
      readonly addr: InstanceAddr;
      readonly elapsedMs?: number;
      readonly idKey?: string;
      readonly idValue?: string;
    }
  | {
      readonly kind: 'apply-start' | 'apply-progress' | 'apply-complete' | 'apply-errored';
      readonly addr: InstanceAddr;
      readonly deposed?: string;
      readonly action: 'create' | 'update' | 'delete' | 'read' | 'forget';
      readonly elapsedMs?: number;
      readonly idKey?: string;
      readonly idValue?: string;
      /** of `apply-progress`: what the operation is held up by */
      readonly note?: string;
    }
  | {
      /** what an operation is held up by, in one line; the empty string: it goes on */
      readonly kind: 'apply-note';
      readonly addr: InstanceAddr;
      readonly deposed?: string;
      readonly note: string;
    }
  | {
      readonly kind:
        | 'provision-start'
        | 'provision-progress'
        | 'provision-complete'
        | 'provision-errored';
      readonly addr: InstanceAddr;
      readonly provisioner: string;
      readonly output?: string;
    }
  | {
      /** an object that exists is looked for, to be adopted; and it has been */
      readonly kind: 'import-prepare' | 'import-complete';
      readonly addr: InstanceAddr;
      readonly importing: NonNullable<PlannedChange['importing']>;
    }
  | {
      /** the provider is asked for what an id stands for, to take it into the state */
      readonly kind: 'import-start';
      readonly addr: InstanceAddr;
      readonly id: string;
    }
  | {
      /** and gave objects of these types */
      readonly kind: 'import-found';
      readonly addr: InstanceAddr;
      readonly types: readonly string[];
    }
  | {
      readonly kind: 'action-start' | 'action-progress' | 'action-complete' | 'action-errored';
      readonly invocation: PlannedInvocation;
      /** what the provider says of its progress, or what is wrong */
      readonly message?: string;
    }
  | EphemeralEvent
  | {
      /** a query begins; what is sensitive in its arguments is null, and named */
      readonly kind: 'list-start';
      readonly addr: InstanceAddr;
      readonly input: Value;
      readonly sensitive: readonly string[];
    }
  | {
      /** and found these objects */
      readonly kind: 'list-complete';
      readonly addr: InstanceAddr;
      readonly found: readonly FoundObject[];
      readonly identityVersion: number;
    }
  | { readonly kind: 'planned-change' | 'resource-drift'; readonly change: PlannedChange }
  | { readonly kind: 'diagnostic'; readonly diagnostic: Diagnostic }
  | { readonly kind: 'message'; readonly text: string };
