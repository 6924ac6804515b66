// Imported directly: printing the version must not load the code of plan and apply.
import { versions } from '@terrane/ops/versions';
import type { CommandContext } from '../../command.ts';
import { versionText } from '../../launcher/version-text.ts';
import { projectOf } from '../../run/project-of.ts';

/** Prints versions. */
export async function runVersion(json: boolean, context: CommandContext): Promise<number> {
  const components = await versions(projectOf(context));
  context.world.stdout.write(versionText(components, components.selections, json, context.world));
  return 0;
}
