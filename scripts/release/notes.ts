/**
 * Returns the release notes of a version: its section of the changelog, or "Unreleased" if it has none, without the
 * heading. Relative links lead to the repository at the released version.
 *
 * @throws Error if the changelog has neither section
 */
export function releaseNotes(changelog: string, version: string, repository: string): string {
  const sections = changelog.split(/^## /m).slice(1);
  const titled = (title: string): string | undefined =>
    sections.find((section) => section.split(/[\s\n]/, 1)[0]?.replace(/[[\]]/g, '') === title);
  const section = titled(version) ?? titled('Unreleased');
  if (section === undefined) throw new Error(`CHANGELOG.md has no section "${version}"`);
  const body = section.slice(section.indexOf('\n')).trim();
  return `${body.replace(/\]\((?!\w+:|#)([^)\s]+)\)/g, `](${repository}/blob/v${version}/$1)`)}\n`;
}
