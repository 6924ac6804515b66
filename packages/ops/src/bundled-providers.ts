import type { BundledProvider } from '@terrane/provider';

/** Loads the code of a bundled provider on first use. */
type Load = () => Promise<BundledProvider>;

const BUNDLED: ReadonlyMap<string, Load> = new Map<string, Load>([
  [
    'terraform.io/builtin/terraform',
    async () => (await import('@terrane/provider-terraform')).provider,
  ],
  [
    'registry.terraform.io/hashicorp/local',
    async () => (await import('@terrane/provider-local')).provider,
  ],
  [
    'registry.terraform.io/hashicorp/null',
    async () => (await import('@terrane/provider-null')).provider,
  ],
  [
    'registry.terraform.io/hashicorp/random',
    async () => (await import('@terrane/provider-random')).provider,
  ],
  [
    'registry.terraform.io/hashicorp/time',
    async () => (await import('@terrane/provider-time')).provider,
  ],
  [
    'registry.terraform.io/hashicorp/tls',
    async () => (await import('@terrane/provider-tls')).provider,
  ],
]);

/** Source addresses of the bundled providers. */
export const BUNDLED_ADDRESSES: readonly string[] = [...BUNDLED.keys()];

/** Returns the bundled provider of an address, if any. */
export async function bundledProvider(address: string): Promise<BundledProvider | undefined> {
  // OpenTofu's registry publishes the same providers under its own host.
  const known = address.replace(/^registry\.opentofu\.org\//, 'registry.terraform.io/');
  return await BUNDLED.get(known)?.();
}
