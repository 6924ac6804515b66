import { hasErrors } from '@terrane/hcl';
import { providerSchemas } from '@terrane/ops';
import { providerSchemasJson } from '@terrane/render';
import type { CommandContext } from '../../command.ts';
import { View } from '../../views/view.ts';
import { variableOptions } from '../../run/operation-arguments.ts';
import { projectOf } from '../../run/project-of.ts';

/** Prints the schemas of the providers in use as JSON. */
export async function runProvidersSchema(
  occurrences: Parameters<typeof variableOptions>[0],
  context: CommandContext,
): Promise<number> {
  const { result, diagnostics } = await providerSchemas(
    projectOf(context, variableOptions(occurrences)),
  );
  if (result === undefined || hasErrors(diagnostics)) {
    new View(context).separateDiagnostics(diagnostics);
    return 1;
  }
  context.world.stdout.write(`${providerSchemasJson(result)}\n`);
  return 0;
}
