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
  stdout.write(
    `Terrane v${found.terrane}, compatible with Terraform v${found.terraform}\non ${found.platform}\n`,
  );
  for (const [source, version] of found.selections) {
    stdout.write(
      version === '0.0.0'
        ? `+ provider ${source} (unversioned)\n`
        : `+ provider ${source} v${version}\n`,
    );
  }
  return 0;
}
