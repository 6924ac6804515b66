import { hasErrors } from '@terrane/hcl';
import { validatePolicies } from '@terrane/policy';
import { validateJson, wordWrap } from '@terrane/render';
import type { CommandContext } from '../../command.ts';
import { policyCommand } from '../../run/policy-command.ts';
import { paint } from '../../views/paint.ts';
import { View } from '../../views/view.ts';
import type { PolicyValidateFlags } from './flags.ts';

/** Validates policy files and prints the diagnostics. */
export async function runPolicyValidate(
  parsed: PolicyValidateFlags,
  context: CommandContext,
): Promise<number> {
  const { values } = parsed;
  const view = new View(context);
  const command = policyCommand('policy validate', parsed, context, view);
  if (command === undefined) return 1;
  const { files: policyFiles, diagnostics } = await validatePolicies(command.paths, command.ports);
  if (values.json) view.line(validateJson(diagnostics));
  else view.diagnostics(diagnostics);
  if (hasErrors(diagnostics)) return 1;
  if (!values.json && policyFiles.length > 0) {
    const count = policyFiles.reduce((sum, { policies }) => sum + policies.length, 0);
    const { color, width } = view.style;
    const text = `${paint(color, 'Success!', 'green', 'bold')} ${count} ${count === 1 ? 'policy' : 'policies'} in ${policyFiles.length} ${policyFiles.length === 1 ? 'file' : 'files'} ${count === 1 ? 'is' : 'are'} valid.`;
    view.line(wordWrap(text, width));
  }
  return 0;
}
