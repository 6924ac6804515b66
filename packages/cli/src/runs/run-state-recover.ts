import {
  canBeLookedFor,
  interruptedDetail,
  isOpenCreate,
  plannedId,
  tellingValues,
  type Interrupted,
  type StateEvent,
} from '@terrane/engine';
import { hasErrors } from '@terrane/hcl';
import { recoverState, type Recovery } from '@terrane/ops';
import { SHOW_HELP, type CommandContext } from '../command.ts';
import type { StateRecoverFlags } from '../commands/state-recover.ts';
import { stateOptions } from './operation-arguments.ts';
import { projectOf } from './project-of.ts';
import { tell, viewFor, waitingPorts } from './views-for.ts';

/** Shows what an interrupted run left, and settles it as asked. */
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
  tell(view, diagnostics);
  if (hasErrors(diagnostics) || result === undefined) return 1;
  if (json) view.line(JSON.stringify(recoveryJson(result)));
  else view.print(recoveryText(result));
  return 0;
}

function recoveryText(recovery: Recovery): string {
  const { journal, written, forgotten } = recovery;
  if (journal === undefined) return 'No run has left a journal: there is nothing to recover.\n';
  const { header, path, added, interrupted } = journal;
  const lines = [
    `Journal ${path} of a run that began at ${header.created} on ${header.host} (process ${header.pid}).`,
    '',
  ];
  if (added.length > 0) {
    lines.push(`Changes that it adds to the state (${added.length}):`, '');
    for (const event of added) lines.push(...changeLines(event));
    lines.push('');
  }
  for (const open of interrupted) {
    const since = open.kind === 'intent' && open.at !== undefined ? ` (since ${open.at})` : '';
    lines.push(`Interrupted: ${actionOf(open)} ${nameOf(open)}${since}`, '');
    lines.push(detailOf(open), '');
  }
  for (const open of forgotten) lines.push(`Forgotten: ${actionOf(open)} ${nameOf(open)}`);
  if (written) lines.push('The state was stored.');
  else
    lines.push('Nothing was changed. The next command that writes the state stores these changes.');
  return `${lines.join('\n')}\n`;
}

function changeLines(event: StateEvent): readonly string[] {
  return changesOf(event).map(
    ({ change, address, to }) => `  ${change} ${address}${to === undefined ? '' : ` to ${to}`}`,
  );
}

/** One change of a journal, as people and programs are told of it. */
interface RecoveredChange {
  readonly change: 'store' | 'drop' | 'depose' | 'restore' | 'move';
  readonly address: string;
  readonly deposed?: string;
  readonly to?: string;
}

function changesOf(event: StateEvent): readonly RecoveredChange[] {
  switch (event.kind) {
    case 'put':
    case 'drop': {
      const { addr, deposed, kind } = event;
      const change = kind === 'put' ? 'store' : 'drop';
      return [{ change, address: addr.text, ...(deposed === undefined ? {} : { deposed }) }];
    }
    case 'depose':
      return [{ change: 'depose', address: event.addr.text, deposed: event.as }];
    case 'restore':
      return [{ change: 'restore', address: event.addr.text, deposed: event.from }];
    case 'move':
      return [{ change: 'move', address: event.from.text, to: event.to.text }];
    case 'batch':
      return event.events.flatMap(changesOf);
    default:
      // Outputs and results of checks are worked out anew by the next run.
      return [];
  }
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
    changes: journal?.added.flatMap(changesOf) ?? [],
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
    // Who settles it: the next plan by itself, or the user.
    settled_by: isOpenCreate(open) && !canBeLookedFor(open.planned) ? 'user' : 'plan',
    ...(id === undefined ? {} : { id }),
    ...(planned?.identityJson === undefined
      ? {}
      : { identity: JSON.parse(planned.identityJson) as unknown }),
    ...(planned === undefined ? {} : { values: Object.fromEntries(tellingValues(planned)) }),
  };
}
