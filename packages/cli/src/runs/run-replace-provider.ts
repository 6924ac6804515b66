import { hasErrors } from '@terrane/hcl';
import { type ProviderReplacement, replaceProviders } from '@terrane/ops';
import { SHOW_HELP, type CommandContext } from '../command.ts';
import type { StateReplaceProviderFlags } from '../commands/state-replace-provider.ts';
import { paint } from '../views/paint.ts';
import type { View } from '../views/view.ts';
import { stateOptions } from './operation-arguments.ts';
import { projectOf } from './project-of.ts';
import { tell, viewFor, waitingPorts } from './run-state.ts';

/** Makes another provider responsible for resources, once that is approved. */
export async function runReplaceProvider(
  parsed: StateReplaceProviderFlags,
  context: CommandContext,
): Promise<number> {
  const view = viewFor(parsed, context);
  if (view === undefined) return SHOW_HELP;
  const { values, rest } = parsed;
  const [from, to, ...more] = rest;
  if (from === undefined || to === undefined || more.length > 0) {
    view.complain('Exactly two arguments expected.\n');
    return SHOW_HELP;
  }
  const dryRun = values['dry-run'];
  let trouble: string | undefined;
  const approve = async (replacement: ProviderReplacement): Promise<boolean> => {
    if (replacement.resources.length === 0) return false;
    show(view, replacement);
    if (dryRun) return false;
    if (values['auto-approve']) return true;
    view.line(`\n${bold(view, 'Do you want to make these changes?')}`);
    view.line("Only 'yes' will be accepted to continue.\n");
    view.print('Enter a value: ');
    const answer = await answerOf(context);
    if (answer.text === undefined) trouble = answer.problem;
    return answer.text === 'yes';
  };
  const { result, diagnostics } = await replaceProviders(
    projectOf(context),
    { from, to },
    stateOptions(values),
    { ...waitingPorts(view), approve },
  );
  tell(view, diagnostics);
  if (hasErrors(diagnostics) || result === undefined) return 1;
  const count = result.resources.length;
  if (count === 0) view.line('No matching resources found.');
  else if (trouble !== undefined) view.complain(`Error asking for approval: ${trouble}`);
  else if (result.replaced) view.line(`\nSuccessfully replaced provider for ${count} resources.`);
  else if (!dryRun) view.line('Cancelled replacing providers.');
  return trouble === undefined ? 0 : 1;
}

function show(view: View, { from, to, resources }: ProviderReplacement): void {
  const { color } = view.style;
  view.line('Terrane will perform the following actions:\n');
  view.line(`  ${paint(color, '~', 'yellow')} Updating provider:`);
  view.line(`    ${paint(color, '-', 'red')} ${from.text}`);
  view.line(`    ${paint(color, '+', 'green')} ${to.text}\n`);
  view.line(`${bold(view, 'Changing')} ${resources.length} resources:\n`);
  for (const resource of resources) view.line(`  ${resource.text}`);
}

function bold(view: View, text: string): string {
  return paint(view.style.color, text, 'bold');
}

/** What is typed in the next line; why there is none otherwise. */
async function answerOf({
  world,
}: CommandContext): Promise<
  | { readonly text: string; readonly problem?: never }
  | { readonly text?: never; readonly problem: string }
> {
  try {
    const line = await world.stdin.readLine();
    return line === undefined ? { problem: 'EOF' } : { text: line.trimEnd() };
  } catch {
    return { problem: 'interrupted' };
  }
}
