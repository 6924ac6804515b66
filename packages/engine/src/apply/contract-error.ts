import { formatPath } from '@terrane/cty';
import type { ContractError } from '@terrane/provider';

/** A broken rule with the place in the object that it is about. */
export function formatContractError(error: ContractError): string {
  const path = formatPath(error.path);
  return path === '' ? error.message : `${path}: ${error.message}`;
}
