/** Validates versions as hashicorp/go-version does. */
import { compareVersions, parseVersionConstraint } from '@terrane/addresses';
export function isModuleVersion(text: string): boolean {
  return compareVersions(text, text) !== undefined;
}

/** A version in its normal form: `v1.2` is `1.2.0`. */
export function normalModuleVersion(text: string): string {
  const { numbers, extra } = partsOf(text);
  const segments = numbers.map((number) => BigInt(number).toString());
  while (segments.length < 3) segments.push('0');
  return `${segments.join('.')}${extra}`;
}

function partsOf(text: string): { readonly numbers: readonly string[]; readonly extra: string } {
  const match = /^v?([0-9]+(?:\.[0-9]+)*)(.*)$/s.exec(text);
  const rest = match?.[2] ?? '';
  // A prerelease may follow without a dash.
  const extra = rest === '' || rest.startsWith('-') || rest.startsWith('+') ? rest : `-${rest}`;
  return { numbers: (match?.[1] ?? '0').split('.'), extra };
}

/** Returns true if an installed version is one that a constraint allows. */
export function satisfiesConstraint(version: string, constraint: string | undefined): boolean {
  if (constraint === undefined) return true;
  return parseVersionConstraint(constraint).allows?.(version) ?? true;
}
