import { formatPath } from '@terrane/cty';
import type { Path } from '@terrane/cty';

/** A violation of the provider contract, worded for the provider's developers. */
export interface ContractError {
  /** the location in the object; empty for the object itself */
  readonly path: Path;
  readonly message: string;
}

/** Formats an error with its path, or the message alone at the root (tfdiags `FormatError`). */
export function formatContractError(e: ContractError): string {
  return e.path.length === 0 ? e.message : `${formatPath(e.path)}: ${e.message}`;
}

/** Formats an error with its path appended to a prefix (tfdiags `FormatErrorPrefixed`). */
export function formatContractErrorAt(prefix: string, e: ContractError): string {
  return `${prefix}${formatPath(e.path)}: ${e.message}`;
}
