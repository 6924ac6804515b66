import { compareVersions, parseVersionConstraint } from '@terrane/addresses';
import { allowsVersion, parseProviderConstraints } from '../versions/provider-constraints.ts';
import { parseVersion } from '../versions/version.ts';
import { isModuleVersion, normalModuleVersion } from './module-version.ts';

/** The version to install. */
export interface ChosenVersion {
  /** the newest matching version; undefined if none matches */
  readonly match: string | undefined;
  /** the newest version to suggest; undefined if there is none */
  readonly newest: string | undefined;
  /** offered texts that are not valid versions */
  readonly invalid: readonly string[];
}

/** Selects one of the versions that a registry has. A prerelease must be requested exactly. */
export function chooseModuleVersion(
  offered: readonly string[],
  constraint: string | undefined,
): ChosenVersion {
  const allows = parseVersionConstraint(constraint ?? '').allows ?? ((): boolean => true);
  const fits = constraint === undefined ? (): boolean => true : allows;
  const invalid: string[] = [];
  let match: string | undefined;
  let newest: string | undefined;
  for (const text of offered) {
    if (!isModuleVersion(text)) {
      invalid.push(text);
      continue;
    }
    const version = normalModuleVersion(text);
    if (isPrerelease(version) && !asksFor(constraint ?? '', version)) continue;
    if (newest === undefined || isNewer(version, newest)) newest = version;
    if (fits(version) && (match === undefined || isNewer(version, match))) match = version;
  }
  return { match, newest, invalid };
}

function isNewer(version: string, than: string): boolean {
  return (compareVersions(version, than) ?? 0) > 0;
}

/** Returns true if a constraint names a prerelease, by the rules for providers. */
function asksFor(constraint: string, version: string): boolean {
  const wanted = parseProviderConstraints(constraint);
  const parsed = parseVersion(version);
  return !('error' in wanted) && !('error' in parsed) && allowsVersion(wanted, parsed);
}

function isPrerelease(normal: string): boolean {
  return /^[0-9.]+-/.test(normal);
}
