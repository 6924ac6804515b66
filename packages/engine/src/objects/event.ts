import type { InstanceAddr } from '@terrane/addresses';
import type { Value } from '@terrane/cty';
import type { Diagnostic } from '@terrane/hcl';
import type { EphemeralEvent } from '../session/ephemerals.ts';
import type { PlannedChange, PlannedInvocation } from './change.ts';

/** An object that a query found. */
export interface FoundObject {
  readonly displayName: string;
  readonly identity: Value;
  /** null unless requested; sensitive parts are null */
  readonly resource: Value;
  /** configuration to import it with, if requested */
  readonly generated?: GeneratedImport;
}

/** Configuration for an object that exists: a `resource` block, and an `import` block for it. */
export interface GeneratedImport {
  readonly resource: string;
  readonly import: string;
}

/** The results of an instance of a `list` block. */
export interface QueryResult {
  readonly addr: InstanceAddr;
  readonly results: readonly FoundObject[];
}

/** Events of planning and applying, for the live view and the machine-readable stream. */
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
      /** of `apply-progress`: the reason for a delay */
      readonly note?: string;
    }
  | {
      /** the reason for a delay in one line; empty when it ends */
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
      /** an existing object to be imported is looked up; it was imported */
      readonly kind: 'import-prepare' | 'import-complete';
      readonly addr: InstanceAddr;
      readonly importing: NonNullable<PlannedChange['importing']>;
    }
  | {
      /** the provider is requested to import the object with an ID */
      readonly kind: 'import-start';
      readonly addr: InstanceAddr;
      readonly id: string;
    }
  | {
      /** the provider returned objects of these types */
      readonly kind: 'import-found';
      readonly addr: InstanceAddr;
      readonly types: readonly string[];
    }
  | {
      readonly kind: 'action-start' | 'action-progress' | 'action-complete' | 'action-errored';
      readonly invocation: PlannedInvocation;
      /** the provider's progress message, or an error */
      readonly message?: string;
    }
  | EphemeralEvent
  | {
      /** a query starts; sensitive parts of its arguments are null, and listed */
      readonly kind: 'list-start';
      readonly addr: InstanceAddr;
      readonly input: Value;
      readonly sensitive: readonly string[];
    }
  | {
      /** and found these objects */
      readonly kind: 'list-complete';
      readonly addr: InstanceAddr;
      readonly results: readonly FoundObject[];
      readonly identityVersion: number;
    }
  | { readonly kind: 'planned-change' | 'resource-drift'; readonly change: PlannedChange }
  | { readonly kind: 'diagnostic'; readonly diagnostic: Diagnostic }
  | { readonly kind: 'message'; readonly text: string };
