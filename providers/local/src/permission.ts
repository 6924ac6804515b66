import type { Path } from '@terrane/cty';
import type { ProviderDiagnostic } from '@terrane/provider';
import { customType, error, string } from '@terrane/provider/sdk';

/** File modes in octal digits. */
export const permission: typeof string = customType(string, { format: checkPermission });

function checkPermission(text: string, path: Path): ProviderDiagnostic | undefined {
  const invalid = (reason: string) =>
    error('Invalid File Permission String Value', reason + text, path);
  const length = Buffer.byteLength(text);
  if (length < 3 || length > 4) {
    return invalid('bad mode permission: string length should be 3 or 4 digits: ');
  }
  const mode = parsePermission(text);
  if (mode !== undefined && mode >= 0 && mode <= 0o777) return undefined;
  return invalid('bad mode permission: string must be expressed in octal numeric notation: ');
}

/** Parses a file mode in octal digits. */
export function parsePermission(text: string): number | undefined {
  return /^[+-]?[0-7]+$/.test(text) ? Number.parseInt(text, 8) : undefined;
}
