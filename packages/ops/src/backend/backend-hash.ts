import { hashText, quoteText, type Value } from '@terrane/cty';
import { crc32 } from '@terrane/engine';

/** The number by which Terraform recognises an unchanged `backend` block: of its type and what it says, unmarked. */
export function backendHash(type: string, value: Value): number {
  return crc32(new TextEncoder().encode(`<${quoteText(type)};${hashText(value)};>`));
}
