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
      terraform_version: calledAs === 'tofu' ? own.opentofu : own.terraform,
      terrane_version: own.terrane,
      platform: own.platform,
      provider_selections: Object.fromEntries(selections),
      terraform_outdated: false,
    };
    return `${JSON.stringify(output, undefined, 2)}\n`;
  }
  // Programs look for the name and version of the program that they run in the first line.
  const first =
    calledAs === undefined
      ? `Terrane v${own.terrane}, compatible with Terraform v${own.terraform}`
      : calledAs === 'tofu'
        ? `OpenTofu v${own.opentofu}`
        : `Terraform v${own.terraform}`;
  const lines = [first, `on ${own.platform}`];
  for (const [source, version] of selections) {
    const shown = version === '0.0.0' ? '(unversioned)' : `v${version}`;
    lines.push(`+ provider ${source} ${shown}`);
  }
  if (calledAs !== undefined) {
    const name = calledAs === 'tofu' ? 'OpenTofu' : 'Terraform';
    lines.push('', `This is Terrane v${own.terrane}, which answers to the name of ${name} here.`);
  }
  return `${lines.join('\n')}\n`;
}
