import { hasErrors } from '@terrane/hcl';
import {
  applyUndo,
  type ClassifiedAction,
  planUndo,
  type ShowReport,
  type UndoReport,
  type UndoRequest,
} from '@terrane/history';
import { programCommand } from '@terrane/host';
import type { CommandContext } from '../../command.ts';
import { inputAllowed, runOperation } from '../../run/operation.ts';
import { operationArguments, tooManyArguments } from '../../run/operation-arguments.ts';
import { jsonInto } from '../../views/json-into.ts';
import { APPLY_PATIENCE, operationView } from '../../views/operation-view.ts';
import { terminalAsk } from '../../views/terminal-ask.ts';
import { oneLine } from '../../views/one-line.ts';
import type { UndoFlags } from './flags.ts';

const NOTHING_CHANGED = (): string =>
  `\nNothing was changed. To apply this plan, save it and apply it:\n    ${programCommand('undo -out=undo.plan')}\n`;

/** Plans the way back from a run, and saves or applies the plan. */
export async function runUndo(parsed: UndoFlags, context: CommandContext): Promise<number> {
  const { values, rest } = parsed;
  const into = jsonInto(values, context);
  const { summary, parallelism, out, json } = values;
  const view = operationView(context, json, { summary, parallelism }, into.world);
  const flags = { ...parsed, values: { ...values, ...NOT_PLANNED } };
  const { request, diagnostics } = await operationArguments(flags, context);
  const problems = [...diagnostics, ...into.problems];
  const [run, ...more] = rest;
  if (more.length > 0) problems.push(tooManyArguments());
  view.diagnostics(problems);
  if (hasErrors(problems)) {
    view.helpPrompt('undo');
    return 1;
  }
  const runPart = run === undefined ? {} : { run };
  const undoRequest: UndoRequest = { ...request, allowLossy: values['allow-lossy'], ...runPart };
  const input = inputAllowed(context, values.input && !json);
  const isPlanOnly = out !== '' || json || values['plan-only'] || !input;
  let isShown = false;
  const showReport: ShowReport = async (plan, report) => {
    if (isPlanOnly) await view.plan(plan);
    isShown = true;
    if (json) view.world.stdout.write(`${JSON.stringify(reportJson(report))}\n`);
    else view.world.stdout.write(reportText(report));
  };
  return await runOperation(context, view, { input, color: view.color }, async (project, ports) => {
    if (isPlanOnly) {
      const made = await planUndo(project, undoRequest, ports, showReport, out);
      if (made.result !== undefined && !isShown) await view.plan(made.result.plan);
      view.diagnostics(made.diagnostics);
      if (hasErrors(made.diagnostics)) return 1;
      if (made.result?.plan.applyable === true && !json) {
        if (out === '') view.world.stdout.write(NOTHING_CHANGED());
        else view.nextStep(out, undefined);
      }
      return 0;
    }
    const outcome = await applyUndo(
      project,
      undoRequest,
      {
        ...ports,
        approval: terminalAsk(view.world, view.color),
        showPlan: (plan) => view.plan(plan, APPLY_PATIENCE),
        ...(view.started && { showStart: view.started }),
        showDiagnostics: (shown) => view.diagnostics(shown),
      },
      showReport,
    );
    view.diagnostics(outcome.diagnostics);
    if (outcome.cancelled === true) {
      view.cancelled('normal');
      return 1;
    }
    if (hasErrors(outcome.diagnostics) || outcome.result === undefined) return 1;
    view.complete(outcome.result.counts, false, values['state-out']);
    return 0;
  });
}

/** Options of a plan that an undo does not have. */
const NOT_PLANNED = { destroy: false, 'refresh-only': false, replace: [], invoke: [] } as const;

const TITLES = {
  reversible: 'Reversible: these objects will be as they were before the run.',
  lossy: 'Lossy: these actions do not restore the objects from before the run.',
  impossible: 'Impossible: these objects cannot be restored.',
  additional: 'Additional: these actions are not about the run.',
} as const;

function reportText({ run, actions, conflicts, refused }: UndoReport): string {
  const lines = [
    '',
    `Undo of run ${run.id} (${run.command} of ${oneLine(run.who)}, ${run.started}):`,
    '',
  ];
  if (actions.length === 0) lines.push('Nothing needs to be done.', '');
  for (const kind of ['reversible', 'lossy', 'impossible', 'additional'] as const) {
    const members = actions.filter((each) => each.class === kind);
    if (members.length === 0) continue;
    lines.push(TITLES[kind], ...members.map(actionText), '');
  }
  if (conflicts.length > 0) {
    lines.push('Conflicts: others have changed these objects since, which the undo reverts too.');
    for (const { address, run: later } of conflicts)
      lines.push(
        later === undefined
          ? `  - ${address}: changed outside of Terrane`
          : `  - ${address}: ${later.command} of ${oneLine(later.who)}, ${later.started} (run ${later.id})`,
      );
    lines.push('');
  }
  if (refused.length === 1) lines.push('1 action is refused.', '');
  else if (refused.length > 1) lines.push(`${refused.length} actions are refused.`, '');
  return lines.join('\n');
}

function actionText({ address, deposed, action, reason }: ClassifiedAction): string {
  const name = deposed === undefined ? address : `${address} (deposed object ${deposed})`;
  const subject = action === 'no-op' ? 'nothing is planned' : action.replaceAll('-', ' ');
  return `  - ${name}: ${subject}${reason === undefined ? '' : `; ${reason}`}`;
}

function reportJson({ run, actions, conflicts, refused }: UndoReport): object {
  return {
    '@level': 'info',
    '@message': `Undo of run ${run.id}`,
    type: 'undo_report',
    undo: {
      run,
      actions,
      conflicts: conflicts.map(({ address, run: later }) => ({
        address,
        run: later?.id ?? null,
        who: later?.who ?? null,
      })),
      refused: refused.map(({ address }) => address),
    },
  };
}
