import { calledProgram } from '@terrane/host';
import type { Range } from '@terrane/hcl';
import { dialectOf } from './dialect.ts';

/** The name of a provider function: `provider::LOCAL::FUNCTION` or, in OpenTofu, `provider::LOCAL::ALIAS::FUNCTION`. */
export interface ProviderFunctionName {
  /** The local name of the provider, as `required_providers` declares it. */
  readonly provider: string;
  readonly alias: string | undefined;
  readonly name: string;
  /**
   * True for a function of the configured provider, as in OpenTofu. Otherwise any instance of the provider is called,
   * configured or not, and only the functions of the schema exist.
   */
  readonly needsConfiguration: boolean;
}

/**
 * Parses the name of a provider function in a call at `place`. Returns undefined for other functions, for malformed
 * names, and for names with an alias in a `.tf` file of a program that was called as `terraform`, which rejects them.
 */
export function parseProviderFunction(
  text: string,
  place: Range | undefined,
): ProviderFunctionName | undefined {
  const parts = text.split('::');
  const [namespace, provider] = parts;
  const name = parts.at(-1);
  if (namespace !== 'provider' || provider === undefined || name === undefined) return undefined;
  const needsConfiguration = followsOpenTofu(place);
  if (parts.length === 3) return { provider, alias: undefined, name, needsConfiguration };
  const acceptsAlias = needsConfiguration || calledProgram() !== 'terraform';
  if (parts.length !== 4 || !acceptsAlias) return undefined;
  return { provider, alias: parts[2], name, needsConfiguration: true };
}

/**
 * Returns true if calls at `place` have OpenTofu's semantics: in its own files, and everywhere if the program was
 * called as `tofu`.
 */
export function followsOpenTofu(place: Range | undefined): boolean {
  return calledProgram() === 'tofu' || (place !== undefined && dialectOf(place) === 'opentofu');
}
