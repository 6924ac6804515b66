// Finds the published providers that are installed.
import {
  INTEROP,
  isInstalled,
  PROVIDERS,
  type PublishedProvider,
} from '../../scripts/oracle/install-providers.mjs';
import type { Case } from './case.ts';

/** The version that results were recorded with is the first of its type. */
const published: readonly PublishedProvider[] = [
  ...Object.entries(PROVIDERS).map(([type, rest]) => ({ type, ...rest })),
  ...INTEROP,
];

/**
 * The providers that a case needs (`type@version`, or `type` for the version that results were recorded with) that this
 * machine does not have.
 */
export function missingProviders({ providers }: Pick<Case, 'providers'>): readonly string[] {
  return providers.filter((name) => {
    const [type, version] = name.split('@');
    const needed = published.find(
      (each) => each.type === type && (version === undefined || each.version === version),
    );
    return needed === undefined || !isInstalled(needed);
  });
}

/** Providers that any machine with Go can build, and this one has not built. */
export function missingModules(): readonly string[] {
  return published
    .filter((each) => each.module !== undefined && !isInstalled(each))
    .map(({ type, version }) => `${type} ${version}`);
}
