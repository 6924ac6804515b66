import { formatPath, type CtyError } from '@terrane/cty';

/** A conversion error as Terraform words it: with the path to the faulty part in front, if it has one. */
export function formatCtyError(error: CtyError): string {
  return error.path.length === 0 ? error.message : `${formatPath(error.path)}: ${error.message}`;
}
