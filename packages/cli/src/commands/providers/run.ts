import { hasErrors } from '@terrane/hcl';
import { providerTree, type ProviderTree } from '@terrane/ops';
import type { CommandContext } from '../../command.ts';
import type { ProvidersFlags } from './flags.ts';
import { projectFor, viewFor } from '../../run/views-for.ts';
import { treeText, type TextTree } from '../../run/tree-text.ts';

/** Shows which modules and which state need which providers. */
export async function runProviders(
  parsed: ProvidersFlags,
  context: CommandContext,
): Promise<number> {
  const view = viewFor(parsed, context, 'with help');
  if (view === undefined) return 1;
  if (parsed.rest.length > 0) {
    view.complain('Too many command line arguments. Did you mean to use -chdir?');
    return 1;
  }
  const { result, diagnostics } = await providerTree(
    projectFor(parsed, context),
    parsed.values['test-directory'],
  );
  if (result === undefined || hasErrors(diagnostics)) {
    view.separateDiagnostics(diagnostics);
    return 1;
  }
  view.line('\nProviders required by configuration:');
  view.line(`.\n${treeText(branches(result.tree))}`);
  if (result.ofState.length > 0) {
    view.line('Providers required by state:\n');
    for (const source of result.ofState) view.line(`    provider[${source.text}]\n`);
  }
  view.separateDiagnostics(diagnostics);
  return 0;
}

function branches({ providers, children, tests }: ProviderTree): readonly TextTree[] {
  return [
    ...[...providers].map(([source, constraints]) => ({
      text: `provider[${source.text}]${constraints === '' ? '' : ` ${constraints}`}`,
      children: [],
    })),
    ...[...tests].map(([name, runs]) => ({
      text: `test.${name.replace(/\.tftest\.hcl$/, '').replaceAll('/', '.')}`,
      children: [...runs].map(([run, tree]) => ({
        text: `run.${run}`,
        children: branches(tree),
      })),
    })),
    ...[...children].map(([name, child]) => ({
      text: `module.${name}`,
      children: branches(child),
    })),
  ];
}
