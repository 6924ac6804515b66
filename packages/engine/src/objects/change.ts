import type { ActionInstanceAddr, InstanceAddr, ProviderConfigAddr } from '@terrane/addresses';
import type { Path, Value } from '@terrane/cty';
import type { ActionEvent, ActionTrigger } from '../config/model.ts';

/** The planned action for an object. */
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

/** The reason for an action, if the values alone do not imply it, as in the JSON plan. */
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
  /** module instance whose `enabled` is false, if that causes the deletion */
  readonly disabledModule?: string;
  /**
   * The object before and after, with sensitive marks of configuration and schema; null if there is none. Values
   * conform to the schema's implied type, with concrete dynamic parts.
   */
  readonly before: Value;
  readonly after: Value;
  readonly schemaVersion: number;
  /** paths whose change requires a replacement */
  readonly requiredReplace: readonly Path[];
  readonly private?: Uint8Array;
  readonly importing?: { readonly id?: string; readonly identity?: Value };
  /** text of the `resource` block that was written for it */
  readonly generatedConfig?: string;
  /** the resource identity, if the provider supplies it; after may be unknown */
  readonly beforeIdentity?: Value;
  readonly afterIdentity?: Value;
}

/** Returns the identity members of a change. */
export function identities(
  before: Value | undefined,
  after: Value | undefined,
): Pick<PlannedChange, 'beforeIdentity' | 'afterIdentity'> {
  return {
    ...(before === undefined ? {} : { beforeIdentity: before }),
    ...(after === undefined ? {} : { afterIdentity: after }),
  };
}

/** The reason for a deferral, as in the JSON plan. */
export type DeferredReason =
  | 'instance_count_unknown'
  | 'resource_config_unknown'
  | 'provider_config_unknown'
  | 'absent_prereq'
  | 'deferred_prereq'
  | 'unknown';

/** A deferred change: its known part, and the reason for the deferral. */
export interface DeferredChange {
  /** its address may contain `[*]` for unknown keys */
  readonly change: PlannedChange;
  readonly reason: DeferredReason;
}

/** The trigger of an action invocation. */
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
  /** requested by the user; `caller` is the value of the action's `caller` */
  | { readonly kind: 'invoke'; readonly caller?: InstanceAddr };

/** A planned invocation of an action instance. */
export interface PlannedInvocation {
  readonly addr: ActionInstanceAddr;
  readonly provider: ProviderConfigAddr;
  readonly trigger: InvocationTrigger;
  /**
   * the configuration in the schema's implied type, with sensitive marks and ephemeral parts null; null without
   * `config` block
   */
  readonly config: Value;
}

/** An invocation deferred with its triggering change; its configuration is null. */
export interface DeferredInvocation {
  readonly invocation: PlannedInvocation;
  readonly reason: DeferredReason;
}
