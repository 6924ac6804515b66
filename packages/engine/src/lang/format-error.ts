import { formatPath, type CtyError } from '@terrane/cty';

/** Formats a conversion error as Terraform does: the path to the invalid part, if any, before the message. */
export function formatCtyError(error: CtyError): string {
  return error.path.length === 0 ? error.message : `${formatPath(error.path)}: ${error.message}`;
}
