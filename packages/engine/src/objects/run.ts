import type { InstanceAddr } from '@terrane/addresses';
import type { ClientCapabilities } from '@terrane/provider';
import type { Schemas } from '../config/model.ts';
import type { Evaluation } from '../evaluate/evaluation.ts';
import type { Deferrals } from './deferral.ts';
import type { RunEvent } from './event.ts';

/** The dependencies of operations on objects, shared by plan and apply. */
export interface ObjectRun {
  readonly evaluation: Evaluation;
  readonly schemas: Schemas;
  /** The response kinds that providers may use. */
  readonly capabilities: ClientCapabilities;
  /** The changes that are deferred to a later plan. */
  readonly deferrals: Deferrals;
  /** The address of each moved instance at the end of the previous run. */
  readonly previousAddresses: ReadonlyMap<InstanceAddr, InstanceAddr>;
  readonly emit: (event: RunEvent) => void;
}

/** Returns the address of an instance at the end of the previous run. */
export function previousAddress(
  run: Pick<ObjectRun, 'previousAddresses'>,
  addr: InstanceAddr,
): InstanceAddr {
  return run.previousAddresses.get(addr) ?? addr;
}
