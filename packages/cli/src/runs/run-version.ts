// By their own names: telling the version must not load what plans and applies.
import { versions } from '@terrane/ops/versions';
import type { CommandContext } from '../command.ts';
import { projectOf } from './project-of.ts';

/** Tells versions. */
export async function runVersion(json: boolean, context: CommandContext): Promise<number> {
  const found = await versions(projectOf(context));
  const { stdout } = context.world;
  if (json) {
    const output = {
      terraform_version: found.terraform,
      terrane_version: found.terrane,
      platform: found.platform,
      provider_selections: Object.fromEntries(found.selections),
      terraform_outdated: false,
    };
    stdout.write(`${JSON.stringify(output, undefined, 2)}\n`);
    return 0;
  }
  const isShim = context.world.calledAs === 'terraform';
  // Programs look for Terraform's name and version in the first line.
  const first = isShim
    ? `Terraform v${found.terraform}`
    : `Terrane v${found.terrane}, compatible with Terraform v${found.terraform}`;
  stdout.write(`${first}\non ${found.platform}\n`);
  for (const [source, version] of found.selections) {
    stdout.write(
      version === '0.0.0'
        ? `+ provider ${source} (unversioned)\n`
        : `+ provider ${source} v${version}\n`,
    );
  }
  if (isShim) {
    stdout.write(
      `\nThis is Terrane v${found.terrane}, which answers to the name of Terraform here.\n`,
    );
  }
  return 0;
}
