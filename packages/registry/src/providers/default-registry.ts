import { parseHostname, type ProviderSource } from '@terrane/addresses';
import type { Environment } from '@terrane/host';

/** The implied host of provider addresses without a host. */
export const IMPLIED_HOST = 'registry.terraform.io';

/** The default registry for addresses with the implied host. */
const DEFAULT_REGISTRY = 'registry.opentofu.org';

/**
 * Returns the registry that replaces the implied host: TERRANE_DEFAULT_REGISTRY, `default_registry` of the CLI
 * configuration, or OpenTofu's. `error` is set for an invalid name.
 */
export function defaultRegistry(
  environment: Pick<Environment, 'get'>,
  configured?: string,
): string | { readonly error: string } {
  const fromEnvironment = environment.get('TERRANE_DEFAULT_REGISTRY') ?? '';
  const configuredHost = fromEnvironment === '' ? (configured ?? '') : fromEnvironment;
  if (configuredHost === '') return DEFAULT_REGISTRY;
  const hostname = parseHostname(configuredHost);
  return typeof hostname === 'string'
    ? hostname
    : { error: `${configuredHost}: ${hostname.error}` };
}

/**
 * Returns the registry host of a provider: the default registry if the configuration implies the host, otherwise the
 * host of its address.
 */
export function registryOf(
  standIn: string | undefined,
  isWritten: (provider: ProviderSource) => boolean,
): (provider: ProviderSource) => string {
  return (provider) =>
    standIn === undefined || provider.hostname !== IMPLIED_HOST || isWritten(provider)
      ? provider.hostname
      : standIn;
}
