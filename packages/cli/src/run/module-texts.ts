/** Returns the message for the start of a module download. */
export function downloadText(download: {
  readonly path: string;
  readonly package: string;
  readonly version?: string;
}): string {
  const version = download.version === undefined ? '' : ` ${download.version}`;
  return `Downloading ${download.package}${version} for ${download.path}...`;
}
