import { hasErrors } from '@terrane/hcl';
import {
  type ChangesSince,
  type ObjectReference,
  type RestoreConsequences,
  restoreState,
  type RunSummary,
} from '@terrane/history';
import { SHOW_HELP, type CommandContext } from '../../command.ts';
import { stateOptions } from '../../run/operation-arguments.ts';
import { projectOf } from '../../run/project-of.ts';
import { printDiagnostics, viewFor, waitingPorts } from '../../run/views-for.ts';
import { oneLine } from '../../views/one-line.ts';
import { terminalAsk } from '../../views/terminal-ask.ts';
import { FORMAT_VERSION } from '../history/history-json.ts';
import { changesText } from '../history/history-text.ts';
import { runArgument } from '../history/run-argument.ts';
import type { StateRestoreFlags } from './flags.ts';

function restoreJson(
  run: RunSummary,
  before: boolean,
  restored: boolean,
  { orphans, revived, doubles, outdated, changes, since }: RestoreConsequences,
): string {
  return JSON.stringify({
    format_version: FORMAT_VERSION,
    run: run.id,
    before,
    restored,
    orphans,
    revived,
    doubles,
    outdated,
    changes,
    later_runs: since.later.map(({ run: { id }, objects }) => ({ run: id, objects })),
    changed_elsewhere: since.isChangedElsewhere,
  });
}

/** Replaces the state by that of an earlier run, after showing the consequences. */
export async function runStateRestore(
  parsed: StateRestoreFlags,
  context: CommandContext,
): Promise<number> {
  const view = viewFor(parsed, context);
  if (view === undefined) return SHOW_HELP;
  const { values, rest } = parsed;
  const id = runArgument(view, 'state restore', rest);
  if (id === undefined) return SHOW_HELP;
  const { json, before, force } = values;
  if (json && !values['auto-approve'] && !values['dry-run']) {
    view.complain('The option -json needs -auto-approve or -dry-run, as it leaves no question.\n');
    return SHOW_HELP;
  }
  const ask = terminalAsk(context.world, view.style.color);
  const approve = async (run: RunSummary, consequences: RestoreConsequences): Promise<boolean> => {
    if (!json) view.print(consequencesText(run, before, consequences));
    if (values['dry-run']) return false;
    if (values['auto-approve']) return true;
    const answer = await ask.input({
      id: 'approve',
      query: '\nDo you want to replace the state?',
      description:
        "Only the state is replaced; no object is created, changed or destroyed.\nOnly 'yes' will be accepted to approve.",
    });
    return 'text' in answer && answer.text === 'yes';
  };
  const { result, diagnostics } = await restoreState(
    projectOf(context),
    { run: id, before, force },
    stateOptions(values),
    { ...(json ? {} : waitingPorts(view)), approve },
  );
  printDiagnostics(view, diagnostics);
  if (hasErrors(diagnostics) || result === undefined) return 1;
  const { run, restored, isSame, consequences } = result;
  if (json) {
    view.line(restoreJson(run, before, restored, consequences));
  } else if (isSame) {
    view.line('The state is the same already. Nothing was changed.');
  } else if (restored) {
    view.line(`\nThe state of run ${run.id} was stored as a new version.`);
  } else if (!values['dry-run']) {
    view.line('\nThe state was not replaced.');
  }
  return restored || isSame || values['dry-run'] ? 0 : 1;
}

function consequencesText(
  run: RunSummary,
  before: boolean,
  { orphans, revived, doubles, outdated, changes, since }: RestoreConsequences,
): string {
  const parts = [
    `The state ${before ? 'before' : 'after'} run ${run.id} (${run.command} of ${oneLine(run.who)}, ${run.started}) differs from the current one:`,
    '',
    changesText(changes).trimEnd(),
    '',
    ...sinceLines(since),
    ...objectLines('Objects that exist and that nothing would manage any more (orphans):', orphans),
    ...objectLines(
      'Addresses with another object now, which would be an orphan; the next plan may create a double:',
      doubles,
    ),
    ...objectLines(
      'Objects that would be managed again; those that were destroyed since are created by the next apply:',
      revived,
    ),
    ...objectLines(
      'Objects that stay, with the attributes of that time; the next plan reads them again:',
      outdated,
    ),
  ];
  return `${parts.join('\n').trimEnd()}\n`;
}

/** Number of runs, and of objects of each, that are listed. */
const MAX_LISTED = 20;

function sinceLines({ later, isChangedElsewhere }: ChangesSince): readonly string[] {
  const lines: string[] = [];
  if (later.length > 0) {
    lines.push('Runs since then, whose changes the state would not contain any more:');
    const more = later.length - MAX_LISTED;
    if (more > 0) lines.push(`  - ${more} earlier runs`);
    for (const { run, objects } of later.slice(-MAX_LISTED)) {
      const rest = objects.length - MAX_LISTED;
      const listed = objects.slice(0, MAX_LISTED).join(', ');
      lines.push(
        `  - ${run.id} (${run.command} of ${oneLine(run.who)}, ${run.started}): ${listed}${rest > 0 ? ` and ${rest} more` : ''}`,
      );
    }
    lines.push('');
  }
  if (isChangedElsewhere) {
    lines.push(
      'Another program, or a run that was not recorded, has changed the state since the last recorded run.',
      '',
    );
  }
  return lines;
}

function objectLines(title: string, objects: readonly ObjectReference[]): readonly string[] {
  if (objects.length === 0) return [];
  const lines = objects.map(
    ({ address, deposed }) =>
      `  - ${address}${deposed === undefined ? '' : ` (deposed object ${deposed})`}`,
  );
  return [title, ...lines, ''];
}
