import type { InstanceAddr } from '@terrane/addresses';
import type { DeposedKey } from '../state/model.ts';

/** Position of a step in its list. */
export type StepId = number;

/** A step of an apply, executed after the steps it names. */
export type Step = { readonly id: StepId; readonly after: readonly StepId[] } & StepWork;

/** The work of a step. */
export type StepWork =
  | { readonly kind: 'read' | 'update'; readonly addr: InstanceAddr }
  /** `depose`: the key of the deposed object that it replaces, until that is deleted */
  | { readonly kind: 'create'; readonly addr: InstanceAddr; readonly depose?: DeposedKey }
  | {
      readonly kind: 'delete' | 'forget';
      readonly addr: InstanceAddr;
      readonly deposed?: DeposedKey;
    }
  /** checks the conditions of an instance without a change */
  | { readonly kind: 'check'; readonly addr: InstanceAddr }
  /** the invocation of an action that the user requested, by its position in the plan */
  | { readonly kind: 'invoke'; readonly invocation: number }
  /** evaluates a node of the program with final values */
  | { readonly kind: 'evaluate'; readonly module: string; readonly key: string }
  /** no operation; groups dependencies, so that other steps need one edge instead of many */
  | { readonly kind: 'join' };
