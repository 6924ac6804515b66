import { errorDiagnostic, hasErrors } from '@terrane/hcl';
import { type ProviderReplacement, replaceProviders } from '@terrane/ops';
import type { CommandContext } from '../../command.ts';
import type { StateReplaceProviderFlags } from './flags.ts';
import { paint } from '../../views/paint.ts';
import type { CommandView } from '../../views/command-view.ts';
import { usageErrorCode } from '../../views/open-command-view.ts';
import { stateOptions } from '../../run/operation-arguments.ts';
import { commandViewFor, projectFor, printDiagnostics, waitingPorts } from '../../run/views-for.ts';

/** Replaces the provider of resources, after approval. */
export async function runReplaceProvider(
  parsed: StateReplaceProviderFlags,
  context: CommandContext,
): Promise<number> {
  const view = commandViewFor(parsed, context);
  if (view === undefined) return usageErrorCode(parsed);
  const { values, rest } = parsed;
  const [from, to, ...more] = rest;
  if (from === undefined || to === undefined || more.length > 0) {
    view.complain('Exactly two arguments expected.\n');
    return usageErrorCode(parsed);
  }
  const dryRun = values['dry-run'];
  if (values.json && !values['auto-approve'] && !dryRun) {
    view.diagnostics([
      errorDiagnostic(
        'Invalid usage',
        'Terraform cannot ask user input when `-json` flag is used. Therefore, `-auto-approve` is required too',
      ),
    ]);
    return 1;
  }
  let problem: string | undefined;
  const approve = async (replacement: ProviderReplacement): Promise<boolean> => {
    if (replacement.resources.length === 0) return false;
    show(view, replacement);
    if (dryRun) return false;
    if (values['auto-approve']) return true;
    view.print(`\n${bold(view, 'Do you want to make these changes?')}\n`);
    view.print("Only 'yes' will be accepted to continue.\n\n");
    view.print('Enter a value: ');
    const answer = await answerOf(context);
    if (answer.text === undefined) problem = answer.problem;
    return answer.text === 'yes';
  };
  const { result, diagnostics } = await replaceProviders(
    projectFor(parsed, context),
    { from, to },
    stateOptions(values),
    { ...waitingPorts(view), approve },
  );
  printDiagnostics(view, diagnostics);
  if (hasErrors(diagnostics) || result === undefined) return 1;
  const count = result.resources.length;
  if (count === 0)
    view.line('No matching resources found.', { message: 'No matching resources found' });
  else if (problem !== undefined) view.complain(`Error asking for approval: ${problem}`);
  else if (result.replaced) {
    const message = `Successfully replaced provider for ${count} resources`;
    view.line(`\n${message}.`, { message });
  } else if (!dryRun) {
    view.line('Cancelled replacing providers.', { message: 'Cancelled replacing providers' });
  }
  return problem === undefined ? 0 : 1;
}

function show(view: CommandView, { from, to, resources }: ProviderReplacement): void {
  const { color } = view.style;
  const lines = [
    view.named('Terrane will perform the following actions:\n'),
    `  ${paint(color, '~', 'yellow')} Updating provider:`,
    `    ${paint(color, '-', 'red')} ${from.text}`,
    `    ${paint(color, '+', 'green')} ${to.text}\n`,
    `${bold(view, 'Changing')} ${resources.length} resources:\n`,
    ...resources.map(({ text }) => `  ${text}`),
  ];
  view.line(lines.join('\n'), {
    message: view.named(
      `Terrane will replace provider from ${from.text} to ${to.text} for ${resources.length} resources`,
    ),
    type: 'replace_provider',
    members: { resources: resources.map(({ text }) => text), from: from.text, to: to.text },
  });
}

function bold(view: CommandView, text: string): string {
  return paint(view.style.color, text, 'bold');
}

/** Reads the input line; returns the reason if there is none. */
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
