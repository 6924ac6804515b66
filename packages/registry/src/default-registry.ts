import type { Environment } from '@terrane/host';

/** The host that addresses without one mean. */
export const IMPLIED_HOST = 'registry.terraform.io';

const DEFAULT_REGISTRY = 'registry.opentofu.org';

/**
 * The host that is asked for what an address without host means: what TERRANE_DEFAULT_REGISTRY says, or
 * registry.opentofu.org. The implied host's own terms bind it to one product.
 */
export function defaultRegistry(environment: Pick<Environment, 'get'>): string {
  const given = environment.get('TERRANE_DEFAULT_REGISTRY')?.trim() ?? '';
  return given === '' ? DEFAULT_REGISTRY : given;
}
