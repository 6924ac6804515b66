import type { OwnVersions } from '@terrane/ops/own-versions';
import type { World } from '../world.ts';

/** Returns the output of `version`, as JSON if `json` is set. Selections are versions by source address. */
export function versionText(
  program: OwnVersions,
  selections: ReadonlyMap<string, string>,
  json: boolean,
  { calledAs }: Pick<World, 'calledAs'>,
): string {
  if (json) {
    const output = {
      terraform_version: calledAs === 'tofu' ? program.opentofu : program.terraform,
      terrane_version: program.terrane,
      platform: program.platform,
      provider_selections: Object.fromEntries(selections),
      terraform_outdated: false,
    };
    return `${JSON.stringify(output, undefined, 2)}\n`;
  }
  // Other programs expect the name and version of the program in the first line.
  const first =
    calledAs === undefined
      ? `Terrane v${program.terrane}, compatible with Terraform v${program.terraform}`
      : calledAs === 'tofu'
        ? `OpenTofu v${program.opentofu}`
        : `Terraform v${program.terraform}`;
  const lines = [first, `on ${program.platform}`];
  for (const [source, version] of selections) {
    const displayVersion = version === '0.0.0' ? '(unversioned)' : `v${version}`;
    lines.push(`+ provider ${source} ${displayVersion}`);
  }
  if (calledAs !== undefined) {
    const name = calledAs === 'tofu' ? 'OpenTofu' : 'Terraform';
    lines.push(
      '',
      `This is Terrane v${program.terrane}, which answers to the name of ${name} here.`,
    );
  }
  return `${lines.join('\n')}\n`;
}
