import {
  canBeLookedFor,
  interruptedDetail,
  isOpenCreate,
  plannedId,
  tellingValues,
  type Interrupted,
  type RecoveredChange,
} from '@terrane/engine';
import { hasErrors } from '@terrane/hcl';
import { programCommand } from '@terrane/host';
import { recoverState, type Recovery } from '@terrane/ops';
import { SHOW_HELP, type CommandContext } from '../../command.ts';
import type { StateRecoverFlags } from './flags.ts';
import { stateOptions } from '../../run/operation-arguments.ts';
import { projectOf } from '../../run/project-of.ts';
import { printDiagnostics, viewFor, waitingPorts } from '../../run/views-for.ts';

/** Shows the open operations of an interrupted run, and resolves them as requested. */
export async function runStateRecover(
  parsed: StateRecoverFlags,
  context: CommandContext,
): Promise<number> {
  const view = viewFor(parsed, context);
  if (view === undefined) return SHOW_HELP;
  if (parsed.rest.length > 0) {
    view.complain('The state recover command expects no arguments.\n');
    return SHOW_HELP;
  }
  const { write, forget, json } = parsed.values;
  const ports = json ? {} : waitingPorts(view);
  const { result, diagnostics } = await recoverState(
    projectOf(context),
    { write, forget },
    stateOptions(parsed.values),
    ports,
  );
  printDiagnostics(view, diagnostics);
  if (hasErrors(diagnostics) || result === undefined) return 1;
  if (json) view.line(JSON.stringify(recoveryJson(result)));
  else view.print(recoveryText(result));
  return 0;
}

function recoveryText(recovery: Recovery): string {
  const { journal, forgotten } = recovery;
  if (journal === undefined) return 'No run has left a journal: there is nothing to recover.\n';
  const { header, path, changes, interrupted } = journal;
  const lines = [
    `Journal ${path} of a run that began at ${header.created} on ${header.host} (process ${header.pid}).`,
    '',
  ];
  if (changes.length > 0) {
    lines.push(`Changes that it adds to the state (${changes.length}):`, '');
    lines.push(...changes.map((change) => `  ${changeText(change)}`), '');
  }
  for (const open of interrupted) {
    const since = open.kind === 'intent' && open.at !== undefined ? ` (since ${open.at})` : '';
    lines.push(`Interrupted: ${actionOf(open)} ${nameOf(open)}${since}`, '');
    lines.push(detailOf(open), '');
  }
  for (const open of forgotten) lines.push(`Forgotten: ${actionOf(open)} ${nameOf(open)}`);
  lines.push(conclusion(recovery));
  return `${lines.join('\n')}\n`;
}

/** Describes the effect of storing the state on one object. */
function changeText(change: RecoveredChange): string {
  const { address = '', deposed = '', to = '' } = change;
  const object = deposed === '' ? address : `${address} (deposed object ${deposed})`;
  switch (change.change) {
    case 'store':
      return change.tainted ? `store ${object} as tainted: to be replaced` : `store ${object}`;
    case 'drop':
      return `drop ${object} from the state`;
    case 'depose':
      return `keep ${address} as deposed object ${deposed}: to be destroyed`;
    case 'restore':
      return `make deposed object ${deposed} of ${address} the current one`;
    case 'move':
      return `move ${address} to ${to}`;
    case 'outputs':
      return 'store the output values';
    case 'checks':
      return 'store the check results';
  }
}

/** States whether the changes of a journal are in the state file, and if not, how to store them. */
function conclusion({ journal, written }: Recovery): string {
  if (written) return 'The state was stored.';
  if (journal === undefined || journal.changes.length === 0) return 'Nothing was changed.';
  return `Nothing was changed. Commands that only read the state use these changes without storing them; the next command that writes the state stores them. To store them now:\n    ${programCommand('state recover -write')}`;
}

function nameOf(open: Interrupted): string {
  if (open.kind === 'invoke') return open.invocation;
  return open.deposed === undefined
    ? open.addr.text
    : `${open.addr.text} (deposed ${open.deposed})`;
}

function actionOf(open: Interrupted): string {
  return open.kind === 'invoke' ? 'invoke' : open.action;
}

function detailOf(open: Interrupted): string {
  return open.kind === 'invoke'
    ? 'It is not known whether it took effect. The next run does not invoke it again by itself.'
    : interruptedDetail(open);
}

function recoveryJson({ journal, written, forgotten, open }: Recovery): object {
  return {
    format_version: '1.0',
    journal:
      journal === undefined
        ? null
        : {
            path: journal.path,
            created: journal.header.created,
            host: journal.header.host,
            process: journal.header.pid,
          },
    changes: journal?.changes ?? [],
    interrupted: open.map(openJson),
    forgotten: forgotten.map(openJson),
    written,
  };
}

function openJson(open: Interrupted): object {
  if (open.kind === 'invoke') return { action: 'invoke', invocation: open.invocation };
  const { addr, action, deposed, at, planned } = open;
  const id = planned === undefined ? undefined : plannedId(planned);
  return {
    action,
    address: addr.text,
    ...(deposed === undefined ? {} : { deposed }),
    ...(at === undefined ? {} : { since: at }),
    // The party that resolves it: the next plan automatically, or the user.
    settled_by: isOpenCreate(open) && !canBeLookedFor(open.planned) ? 'user' : 'plan',
    ...(id === undefined ? {} : { id }),
    ...(planned?.identityJson === undefined
      ? {}
      : { identity: JSON.parse(planned.identityJson) as unknown }),
    ...(planned === undefined ? {} : { values: Object.fromEntries(tellingValues(planned)) }),
  };
}
