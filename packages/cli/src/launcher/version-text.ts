import type { OwnVersions } from '@terrane/ops/own-versions';
import type { World } from '../world.ts';

/** What `version` prints: as text, or as JSON where `json` is set. Selections are versions by source address. */
export function versionText(
  own: OwnVersions,
  selections: ReadonlyMap<string, string>,
  json: boolean,
  { calledAs }: Pick<World, 'calledAs'>,
): string {
  if (json) {
    const output = {
      terraform_version: own.terraform,
      terrane_version: own.terrane,
      platform: own.platform,
      provider_selections: Object.fromEntries(selections),
      terraform_outdated: false,
    };
    return `${JSON.stringify(output, undefined, 2)}\n`;
  }
  const isShim = calledAs === 'terraform';
  // Programs look for Terraform's name and version in the first line.
  const first = isShim
    ? `Terraform v${own.terraform}`
    : `Terrane v${own.terrane}, compatible with Terraform v${own.terraform}`;
  const lines = [first, `on ${own.platform}`];
  for (const [source, version] of selections) {
    const shown = version === '0.0.0' ? '(unversioned)' : `v${version}`;
    lines.push(`+ provider ${source} ${shown}`);
  }
  if (isShim) {
    lines.push('', `This is Terrane v${own.terrane}, which answers to the name of Terraform here.`);
  }
  return `${lines.join('\n')}\n`;
}
