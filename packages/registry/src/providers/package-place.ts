import type { ProviderSource } from '@terrane/addresses';
import { type Platform, platformText } from './platform.ts';

/** Returns the directory of an unpacked package, relative to a cache or a mirror. */
export function unpackedPlace(
  base: string,
  source: ProviderSource,
  version: string,
  platform: Platform,
): string {
  return `${base}/${source.text}/${version}/${platformText(platform)}`;
}

/** The name of an archive: `terraform-provider-random_3.6.0_linux_amd64.zip`. */
export function archiveName(source: ProviderSource, version: string, platform: Platform): string {
  return `terraform-provider-${source.type}_${version}_${platformText(platform)}.zip`;
}

/** Returns the path of a package archive, relative to a mirror. */
export function packedPlace(
  base: string,
  source: ProviderSource,
  version: string,
  platform: Platform,
): string {
  return `${base}/${source.text}/${archiveName(source, version, platform)}`;
}
