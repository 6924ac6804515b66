/** Returns the message for the start of a module download. */
export function downloadText(download: {
  readonly path: string;
  readonly package: string;
  readonly version?: string;
}): string {
  const version = download.version === undefined ? '' : ` ${download.version}`;
  return `Downloading ${download.package}${version} for ${download.path}...`;
}

/** Returns the message for a written file with locks of modules. */
export function modulesLockedText({
  change,
  file,
  count,
}: {
  readonly change: 'created' | 'changed';
  readonly file: string;
  readonly count: number;
}): string {
  const modules = count === 1 ? '1 module' : `${count} modules`;
  return change === 'created'
    ? `- Recorded the hashes of ${modules} in ${file}; include this file in version control`
    : `- Updated the hashes of ${modules} in ${file}; review and commit the change`;
}
