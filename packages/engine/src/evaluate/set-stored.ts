import { CtyError } from '@terrane/cty';
import { type Diagnostic, errorDiagnostic } from '@terrane/hcl';
import type { InstanceAddr } from '../addrs/resource-addr.ts';
import type { StoredObject } from '../state/model.ts';
import { decodeStored } from '../state/stored-value.ts';
import type { ResourceCell } from './module-cells.ts';

/** Sets what the state holds of an instance that a run leaves alone; an error where it cannot be decoded. */
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
