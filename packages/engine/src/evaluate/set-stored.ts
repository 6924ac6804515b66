import type { AbsResource, InstanceAddr } from '@terrane/addresses';
import { CtyError } from '@terrane/cty';
import { type Diagnostic, errorDiagnostic } from '@terrane/hcl';
import type { State, StoredObject } from '../state/model.ts';
import { decodeStored } from '../state/stored-value.ts';
import type { ResourceCell } from './module-cells.ts';
import { keysOf } from './repetition.ts';

/**
 * Sets the undeclared instances of a resource that remain because the run does not include them: references to the
 * resource still see them.
 */
export function setLeft(
  cell: ResourceCell,
  state: State,
  resource: AbsResource,
  stays: (addr: InstanceAddr) => boolean,
  diagnostics: Diagnostic[],
): void {
  const declared = new Set(keysOf(cell.expansion));
  for (const [key, addr] of state.resourceInstances(resource)) {
    if (declared.has(key) || !stays(addr)) continue;
    const storedObject = state.instance(addr)?.current;
    if (storedObject === undefined) continue;
    setStored(cell, addr, storedObject, diagnostics);
    cell.retain(key);
  }
}

/** Sets the stored value of an instance that a run does not include; reports an error if it cannot be decoded. */
export function setStored(
  cell: ResourceCell,
  addr: InstanceAddr,
  stored: StoredObject,
  diagnostics: Diagnostic[],
): void {
  try {
    cell.set(addr.key, decodeStored(stored, cell.type));
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    diagnostics.push(
      errorDiagnostic(
        'Invalid resource instance data in state',
        `Instance ${addr.text} data could not be decoded from the state: ${error.message}.`,
        cell.resource.range,
      ),
    );
  }
}
