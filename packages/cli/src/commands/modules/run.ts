import { hasErrors } from '@terrane/hcl';
import { moduleTree, type ModuleTree } from '@terrane/ops';
import type { CommandContext } from '../../command.ts';
import type { ModulesFlags } from './flags.ts';
import { View } from '../../views/view.ts';
import { flagProblems, tooManyArguments } from '../../run/operation-arguments.ts';
import { projectFor } from '../../run/views-for.ts';
import { treeText, type TextTree } from '../../run/tree-text.ts';

/** Version of the format of `modules -json`. */
const FORMAT = '1.0';

/** Shows the modules that the configuration calls. */
export async function runModules(parsed: ModulesFlags, context: CommandContext): Promise<number> {
  const view = new View(context);
  const problems = flagProblems(parsed);
  if (parsed.rest.length > 0) {
    problems.push(tooManyArguments('Expected no positional arguments'));
  }
  if (hasErrors(problems)) {
    view.diagnostics(problems);
    view.helpPrompt('modules');
    return 1;
  }
  const { result, diagnostics } = await moduleTree(projectFor(parsed, context));
  if (result === undefined || hasErrors(diagnostics)) {
    view.diagnostics(diagnostics);
    return 1;
  }
  if (parsed.values.json) {
    const modules = flat(result);
    view.line(
      JSON.stringify({ format_version: FORMAT, modules: modules.length === 0 ? null : modules }),
    );
  } else if (result.length === 0) {
    view.line('No modules found in configuration.');
  } else {
    view.line(`\nModules declared by configuration:\n.\n${treeText(result.map(branch))}`);
  }
  return 0;
}

function flat(trees: readonly ModuleTree[]): readonly object[] {
  return trees.flatMap(({ key, source, version = '', children }) => [
    { key, source, version },
    ...flat(children),
  ]);
}

function branch({ key, source, version, constraint, children }: ModuleTree): TextTree {
  const range = constraint === undefined || constraint === version ? '' : ` (${constraint})`;
  const installed = version === undefined ? '' : ` ${version}${range}`;
  return { text: `"${key}"[${source}]${installed}`, children: children.map(branch) };
}
