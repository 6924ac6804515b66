/** A platform, in the terms of package manifests. */
export interface Platform {
  readonly os: string;
  readonly cpu: string;
  /** set on Linux only */
  readonly libc?: 'glibc' | 'musl';
}

/** Entries of a lock file by path. */
export type Packages = Readonly<
  Record<
    string,
    {
      readonly version?: string;
      readonly optional?: boolean;
      readonly link?: boolean;
      readonly os?: string | readonly string[];
      readonly cpu?: string | readonly string[];
      readonly libc?: readonly string[];
    }
  >
>;

/**
 * Returns whether a package of the lock file is missing or installed in another version. Optional packages count if
 * they are for this platform.
 */
export function isStale(wanted: Packages, installed: Packages, platform: Platform): boolean;
