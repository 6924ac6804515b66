import { hasErrors } from '@terrane/hcl';
import { validatePolicies } from '@terrane/policy';
import { validateJson, wordWrap } from '@terrane/render';
import type { CommandContext } from '../../command.ts';
import { flagProblems } from '../../run/operation-arguments.ts';
import { projectOf } from '../../run/project-of.ts';
import { paint } from '../../views/paint.ts';
import { View } from '../../views/view.ts';
import type { PolicyValidateFlags } from './flags.ts';

/** Validates policy files and prints the diagnostics. */
export async function runPolicyValidate(
  parsed: PolicyValidateFlags,
  context: CommandContext,
): Promise<number> {
  const { values, rest } = parsed;
  const view = new View(context);
  const problems = flagProblems(parsed);
  if (hasErrors(problems)) {
    view.diagnostics(problems);
    view.helpPrompt('policy validate');
    return 1;
  }
  const paths = [...values.policies, ...rest];
  const { host } = projectOf(context);
  const { files, environment, clock, random } = host;
  const { files: policyFiles, diagnostics } = await validatePolicies(
    paths.length === 0 ? ['.'] : paths,
    { files, environment, clock, random },
  );
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
