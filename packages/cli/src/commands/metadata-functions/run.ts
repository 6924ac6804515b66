import { listFunctions } from '@terrane/ops';
import { functionsJson } from '@terrane/render';
import type { CommandContext } from '../../command.ts';
import { projectOf } from '../../run/project-of.ts';

/** Prints the signatures of all functions as JSON. */
export function runMetadataFunctions(context: CommandContext): number {
  context.world.stdout.write(`${functionsJson(listFunctions(projectOf(context)))}\n`);
  return 0;
}
