/** The oldest Node.js that runs the sources and the published packages, such as "22.18". */
export const OLDEST_NODE: string;

/** The oldest Node.js that runs npm and setup.mjs. */
export const OLDEST_FOR_SETUP: string;

/** Returns whether a Node.js version is at least another one, whose last numbers may be absent. */
export function isAtLeast(version: string, oldest: string): boolean;

/** Returns the package with Node.js for a platform, and its version; undefined if there is none. */
export function pinnedPackage(
  platform: string,
  arch: string,
): { readonly name: string; readonly version: string } | undefined;

/** Returns the path of the pinned binary; undefined if it is not installed. */
export function pinnedNode(): string | undefined;

/**
 * Describes the fallback to the machine's Node.js if the pinned one does not run; `fails` if the machine's is too old.
 * Returns undefined if the pinned one runs.
 */
export function describeFallback(machine: {
  readonly platform: string;
  readonly arch: string;
  readonly machine: string;
  readonly pinnedRuns: boolean;
}): { readonly fails: boolean; readonly message: string } | undefined;
