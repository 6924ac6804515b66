/** A provider and its version, as packages are named for it. */
export interface ProviderName {
  readonly host: string;
  readonly namespace: string;
  readonly type: string;
  readonly version: string;
}

const DEFAULT_HOST = 'registry.terraform.io';
const PART = /^[0-9a-z](?:[0-9a-z]|-(?!-))*[0-9a-z]$|^[0-9a-z]$/;
// Semantic versions without build metadata, which registries reject.
const VERSION = /^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/;

/**
 * Parses a source address (`acme/thing`, `registry.example.com/acme/thing`) and a version (`1.2.0`, `v1.2.0`).
 *
 * @throws Error with the reason
 */
export function providerName(address: string, version: string): ProviderName {
  const parts = address.split('/');
  const [type, namespace, host = DEFAULT_HOST] = parts.toReversed();
  if (parts.length > 3 || namespace === undefined || type === undefined) {
    throw new Error(
      `${JSON.stringify(address)} is no source address: write NAMESPACE/NAME or HOST/NAMESPACE/NAME, as in required_providers`,
    );
  }
  for (const part of [namespace, type]) {
    if (!PART.test(part)) {
      throw new Error(
        `${JSON.stringify(part)} in the source address ${JSON.stringify(address)} must be of small letters, digits and single dashes`,
      );
    }
  }
  const plain = version.replace(/^v/, '');
  if (!VERSION.test(plain)) {
    throw new Error(
      `${JSON.stringify(version)} is no version: write one like 1.2.0 or 1.2.0-beta.1`,
    );
  }
  return { host, namespace, type, version: plain };
}

/** Returns the source address without the default host: `acme/thing`. */
export function sourceAddress({ host, namespace, type }: ProviderName): string {
  return `${host === DEFAULT_HOST ? '' : `${host}/`}${namespace}/${type}`;
}

/** `terraform-provider-thing_v1.2.0`, with `.exe` on Windows */
export function executableName({ type, version }: ProviderName, platform: string): string {
  return `terraform-provider-${type}_v${version}${platform.startsWith('windows_') ? '.exe' : ''}`;
}

/** Returns `terraform-provider-thing_1.2.0_` followed by `rest` */
export function artifactName({ type, version }: ProviderName, rest: string): string {
  return `terraform-provider-${type}_${version}_${rest}`;
}
