import type { InstanceAddr } from '@terrane/addresses';
import type { Value } from '@terrane/cty';
import type { CheckResults, DeposedKey, StoredObject } from './model.ts';

/** The identity of an object that existed before a step. */
export interface StoredIdentity {
  readonly schemaVersion: number;
  readonly json: string;
}

/**
 * One atomic change of a state, or the intent to make one happen. One journal record holds one event.
 * All but `batch` may be applied to a state that has them already, which changes nothing more.
 */
export type StateEvent =
  /** something outside is about to change; without a later event for the address nobody knows whether it did */
  | {
      readonly kind: 'intent';
      readonly step: number;
      readonly action: string;
      readonly addr: InstanceAddr;
      readonly deposed?: DeposedKey;
      readonly prior?: StoredIdentity;
      /** what is to be created or changed, with its identity where that is known, or what is to be deleted */
      readonly planned?: StoredObject;
      /** when, in RFC 3339 */
      readonly at?: string;
      /** a run before left it open */
      readonly carried?: boolean;
    }
  /** what runs before left open at an address is known now: it was looked for, or somebody told what it is */
  | { readonly kind: 'settled'; readonly addr: InstanceAddr }
  /** an action is about to be invoked, or has ended; without the latter nobody knows what it did */
  | { readonly kind: 'invoke'; readonly invocation: string; readonly ended: boolean }
  /** an object is as given; its provider becomes the one of the whole resource */
  | {
      readonly kind: 'put';
      readonly addr: InstanceAddr;
      readonly deposed?: DeposedKey;
      readonly object: StoredObject;
    }
  /** an object is gone; also what concludes an intent that left nothing */
  | { readonly kind: 'drop'; readonly addr: InstanceAddr; readonly deposed?: DeposedKey }
  /** the current object becomes a deposed one */
  | { readonly kind: 'depose'; readonly addr: InstanceAddr; readonly as: DeposedKey }
  /** a deposed object becomes current again, unless there is a current one */
  | { readonly kind: 'restore'; readonly addr: InstanceAddr; readonly from: DeposedKey }
  /** all objects of an instance are at another address from now on */
  | { readonly kind: 'move'; readonly from: InstanceAddr; readonly to: InstanceAddr }
  /** the root outputs, all of them; a value marked sensitive anywhere is a sensitive output */
  | { readonly kind: 'outputs'; readonly values: ReadonlyMap<string, Value> }
  /** the check results, all of them */
  | { readonly kind: 'checks'; readonly results: CheckResults }
  /** all of these or none */
  | { readonly kind: 'batch'; readonly events: readonly StateEvent[] };
