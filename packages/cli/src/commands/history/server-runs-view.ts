import type { PlannedObject, ShownServerRun } from '@terrane/history';
import { tableText } from './history-text.ts';

/** A run of a server. */
type Run = ShownServerRun['run'];

const SYMBOLS: Readonly<Record<PlannedObject['action'], string>> = {
  create: '+',
  update: '~',
  delete: '-',
  replace: '-/+',
  forget: '.',
};

/** Returns the table of the runs of a server, in the given order. */
export function serverRunsText(runs: readonly Run[]): string {
  const rows = runs.map((run) => [
    run.id,
    timeText(run),
    whoText(run),
    commandText(run),
    run.status.replaceAll('_', ' '),
    countsText(run),
  ]);
  return tableText([['Run', 'Time (UTC)', 'Who', 'Command', 'Outcome', 'Objects'], ...rows]);
}

/** Returns the description of a run of a server. */
export function serverRunText({ run, objects }: ShownServerRun, url: string): string {
  const facts: readonly (readonly [string, string])[] = [
    ['Run', run.id],
    ['Command', commandText(run)],
    ['Who', whoText(run)],
    ['Time', timeText(run)],
    ['Message', run.message.split('\n', 1)[0] ?? ''],
    ['Outcome', run.status.replaceAll('_', ' ')],
    ['Objects', countsText(run)],
    ['Page', `${url}/${encodeURIComponent(run.id)}`],
  ];
  const lines = facts
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${`${name}:`.padEnd(15)}${value}`);
  const changes = objects?.map(({ action, address }) => `${SYMBOLS[action]} ${address}`);
  if (changes === undefined) lines.push('', 'The server shows no plan of this run.');
  else if (changes.length === 0) lines.push('', 'The plan of this run changes no objects.');
  else lines.push('', 'Objects that the plan changes:', ...changes);
  return `${lines.join('\n')}\n`;
}

/** Returns the JSON form of a run of a server. */
export function serverRunJson(run: Run): object {
  const { id, created, createdBy, source, message, status, applied, planned } = run;
  return {
    id,
    started: created,
    who: createdBy ?? null,
    source,
    command: commandText(run),
    message,
    outcome: status,
    objects: { planned: planned ?? null, applied: applied ?? null },
  };
}

/** Returns the time as in the list of local runs; the text of the server if it is no time. */
function timeText({ created }: Run): string {
  const time = new Date(created);
  return Number.isNaN(time.getTime()) ? created : time.toISOString().slice(0, 19).replace('T', ' ');
}

/** Returns the user of a run; its origin for a run that no user has created. */
function whoText({ createdBy, source }: Run): string {
  return createdBy ?? source;
}

function commandText({ isPlanOnly, isDestroy, isRefreshOnly }: Run): string {
  const name = isPlanOnly ? 'plan' : isDestroy ? 'destroy' : 'apply';
  const destroys = isPlanOnly && isDestroy ? ' -destroy' : '';
  return `${name}${destroys}${isRefreshOnly ? ' -refresh-only' : ''}`;
}

/** Returns the counts of the apply; those of the plan if nothing was applied. */
function countsText({ applied, planned, status }: Run): string {
  const counts = status === 'applied' ? (applied ?? planned) : (planned ?? applied);
  if (counts === undefined) return '';
  const { created, updated, deleted, imported } = counts;
  const parts = [
    created > 0 ? `+${created}` : '',
    updated > 0 ? `~${updated}` : '',
    deleted > 0 ? `-${deleted}` : '',
    imported > 0 ? `<${imported}` : '',
  ].filter((part) => part !== '');
  const text = parts.length === 0 ? 'none' : parts.join(' ');
  return status === 'applied' || parts.length === 0 ? text : `planned ${text}`;
}
