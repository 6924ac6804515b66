/** Whether what is installed lacks a package of the lock file or has another version of it. */
export function isStale(wanted: Packages, installed: Packages): boolean;

type Packages = Readonly<
  Record<
    string,
    { readonly version?: string; readonly optional?: boolean; readonly link?: boolean }
  >
>;
