import type { InstanceAddr } from '@terrane/addresses';
import type { Value } from '@terrane/cty';
import type { CheckResults, DeposedKey, StoredObject } from './model.ts';

/** The identity of an object that existed before a step. */
export interface StoredIdentity {
  readonly schemaVersion: number;
  readonly json: string;
}

/**
 * An atomic change of a state, or the intent to change it. One journal record contains one event. All except `batch`
 * are idempotent.
 */
export type StateEvent =
  /** an external change is about to start; without a later event for the address, its result is unknown */
  | {
      readonly kind: 'intent';
      readonly step: number;
      readonly action: string;
      readonly addr: InstanceAddr;
      readonly deposed?: DeposedKey;
      readonly prior?: StoredIdentity;
      /** the object to be created or changed, with its identity if known, or the object to be deleted */
      readonly planned?: StoredObject;
      /** when, in RFC 3339 */
      readonly at?: string;
      /** true if a previous run left it open */
      readonly carried?: boolean;
    }
  /** the result of an open operation at an address is known now: by a lookup, or from the user */
  | { readonly kind: 'settled'; readonly addr: InstanceAddr }
  /** an action is about to be invoked, or has ended; without the latter, its result is unknown */
  | { readonly kind: 'invoke'; readonly invocation: string; readonly ended: boolean }
  /** sets an object; its provider becomes that of the whole resource */
  | {
      readonly kind: 'put';
      readonly addr: InstanceAddr;
      readonly deposed?: DeposedKey;
      readonly object: StoredObject;
    }
  /** removes an object; also concludes an intent without a result */
  | { readonly kind: 'drop'; readonly addr: InstanceAddr; readonly deposed?: DeposedKey }
  /** the current object becomes a deposed one */
  | { readonly kind: 'depose'; readonly addr: InstanceAddr; readonly as: DeposedKey }
  /** a deposed object becomes current again, unless there is a current one */
  | { readonly kind: 'restore'; readonly addr: InstanceAddr; readonly from: DeposedKey }
  /** moves all objects of an instance to another address */
  | { readonly kind: 'move'; readonly from: InstanceAddr; readonly to: InstanceAddr }
  /** the root outputs, all of them; a value marked sensitive anywhere is a sensitive output */
  | { readonly kind: 'outputs'; readonly values: ReadonlyMap<string, Value> }
  /** the check results, all of them */
  | { readonly kind: 'checks'; readonly results: CheckResults }
  /** applies all events or none */
  | { readonly kind: 'batch'; readonly events: readonly StateEvent[] };
