import { hasErrors, type Diagnostic } from '@terrane/hcl';
import { cliConfigOf } from '@terrane/ops/cli-config';
import { diagnosticText } from '@terrane/render';
import { inProgramName } from '../views/program-name.ts';
import type { World } from '../world.ts';
import { projectIn } from './project-of.ts';

/** Prints the diagnostics of the user's CLI configuration; they do not end the program. */
export function printCliConfigProblems(world: World): void {
  const project = projectIn(world, world.directory, world.directory, []);
  const { diagnostics, installationDiagnostics } = cliConfigOf(project);
  printDiagnostics(world, diagnostics, 'the CLI configuration', 'Terrane');
  printDiagnostics(
    world,
    installationDiagnostics,
    'the provider_installation configuration',
    "Terrane's provider installer",
  );
}

function printDiagnostics(
  world: World,
  diagnostics: readonly Diagnostic[],
  subject: string,
  product: string,
): void {
  if (diagnostics.length === 0) return;
  const { stderr } = world;
  stderr.write(`There are some problems with ${subject}:\n`);
  // The user's options for colors and width are not known yet: use frames without colors.
  const style = { color: false, leftRule: true, width: 78, automation: false };
  for (const diagnostic of diagnostics) stderr.write(`${diagnosticText(diagnostic, style)}\n`);
  if (!hasErrors(diagnostics)) return;
  const name = inProgramName(product, world);
  stderr.write(`As a result of the above problems, ${name} may not behave as intended.\n\n\n`);
}
