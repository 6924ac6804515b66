import type {
  AttributeChange,
  Blame,
  ObjectChange,
  PlainJson,
  RunRecord,
  RunStart,
  RunSummary,
  StateChanges,
} from '@terrane/history';
import { oneLine } from '../../views/one-line.ts';

/** The longest value that is shown in a line. */
const MAX_VALUE = 120;
const SENSITIVE = '(sensitive value)';
const SYMBOLS: Readonly<Record<ObjectChange['action'], string>> = {
  create: '+',
  import: '+',
  read: '<=',
  update: '~',
  refresh: '~',
  delete: '-',
  vanish: '-',
  forget: '-',
  move: '>',
  depose: '~',
  restore: '~',
  taint: '~',
  untaint: '~',
};

/** Returns the table of runs, in the given order. */
export function runsText(runs: readonly RunSummary[]): string {
  const rows = runs.map((run) => [
    run.id,
    run.started.slice(0, 19).replace('T', ' '),
    oneLine(run.who),
    commandText(run),
    run.outcome,
    countsText(run),
  ]);
  return tableText([['Run', 'Time (UTC)', 'Who', 'Command', 'Outcome', 'Objects'], ...rows]);
}

/** Returns a table whose columns are as wide as their longest cell. */
export function tableText(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}

function commandText({ command, mode }: Pick<RunSummary, 'command' | 'mode'>): string {
  return mode === 'refresh-only'
    ? `${command} -refresh-only`
    : command.replace(/^state-/, 'state ');
}

function countsText({ counts, open }: Pick<RunSummary, 'counts' | 'open'>): string {
  const { created, updated, deleted, other, outside = 0 } = counts;
  const parts = [
    created > 0 ? `+${created}` : '',
    updated > 0 ? `~${updated}` : '',
    deleted > 0 ? `-${deleted}` : '',
    other > 0 ? `>${other}` : '',
    outside > 0 ? `!${outside}` : '',
    open > 0 ? `?${open}` : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? 'none' : parts.join(' ');
}

/** Describes a run that has not ended. */
export function pendingText({ id, started, who, command }: RunStart): string {
  return `Run ${id} (${command}) of ${oneLine(who)} began at ${started} and has not ended: it is in progress, or it was interrupted. The next run that changes the state completes its record.\n`;
}

/** Returns the description of a run with its changes. */
export function runText(record: RunRecord, changes: StateChanges | undefined): string {
  const {
    id,
    started,
    ended,
    who,
    workspace,
    version,
    providers,
    plan,
    configuration,
    variables = [],
  } = record;
  const facts: [string, string][] = [
    ['Run', id],
    ['Command', commandText(record)],
    ['Reverts', record.reverts ?? ''],
    ['Who', oneLine(who)],
    ['Time', `${started} to ${ended}`],
    ['Workspace', workspace],
    ['Outcome', record.outcome],
    ['Program', `Terrane ${version}`],
    [
      'Providers',
      Object.entries(providers)
        .map((pair) => pair.join(' ').trim())
        .sort()
        .join(', '),
    ],
    ['Plan', plan ?? ''],
    ['Configuration', configuration ?? ''],
    ['Variables', variables.map(({ name }) => name).join(', ')],
    ['State', serialText(record)],
    ['Targets', (record.targets ?? []).join(', ')],
    ['Excluded', (record.excludes ?? []).join(', ')],
  ];
  const lines = facts
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${`${name}:`.padEnd(15)}${value}`);
  for (const { summary, address } of record.errors)
    lines.push(`Error:         ${summary}${address === undefined ? '' : ` (${address})`}`);
  for (const { rule, object, reason, by } of record.overridden ?? [])
    lines.push(
      `Overridden:    ${rule}${object === '' ? '' : ` for ${object}`} by ${oneLine(by)}: ${oneLine(reason)}`,
    );
  for (const { action, address, deposed, since } of record.openOperations)
    lines.push(
      `Open:          ${action} ${address}${deposed === undefined ? '' : ` (deposed object ${deposed})`}${since === undefined ? '' : ` since ${since}`}`,
    );
  const details =
    changes === undefined
      ? 'The state before this run is not known, so its changes cannot be shown.\n'
      : changesText(changes);
  return `${lines.join('\n')}\n\n${details}`;
}

function serialText({ base, final }: RunRecord): string {
  const before = base?.digest === undefined ? 'none' : `serial ${base.serial}`;
  const after = final === undefined ? 'not stored' : `serial ${final.serial}`;
  return `${before} to ${after}`;
}

/** Describes the changes of a state. */
export function changesText({ objects, outputs }: StateChanges): string {
  const lines: string[] = [];
  for (const object of objects) {
    lines.push(`${SYMBOLS[object.action]} ${objectText(object)}`);
    lines.push(...object.attributes.map((attribute) => `    ${attributeText(attribute)}`));
  }
  for (const output of outputs) lines.push(`output ${attributeText(output)}`);
  return lines.length === 0 ? 'No objects or outputs were changed.\n' : `${lines.join('\n')}\n`;
}

function objectText({ address, deposed, action, to }: ObjectChange): string {
  if (action === 'move') return `${address} moved to ${to ?? ''}`;
  if (action === 'depose') return `${address} became deposed object ${deposed ?? ''}`;
  if (action === 'restore') return `${address} restored from deposed object ${deposed ?? ''}`;
  const name = deposed === undefined ? address : `${address} (deposed object ${deposed})`;
  if (action === 'import') return `${name} imported`;
  if (action === 'forget') return `${name} removed from the state, not destroyed`;
  if (action === 'refresh') return `${name} had been changed outside`;
  if (action === 'vanish') return `${name} had been removed outside`;
  if (action === 'taint') return `${name} tainted`;
  if (action === 'untaint') return `${name} no longer tainted`;
  return name;
}

function attributeText({ path, before, after, sensitive }: AttributeChange): string {
  if (sensitive === true) return `${path}: ${SENSITIVE}`;
  if (before === undefined || before === null) return `${path} = ${valueText(after)}`;
  return `${path}: ${valueText(before)} -> ${valueText(after)}`;
}

function valueText(value: PlainJson | undefined): string {
  const text = JSON.stringify(value ?? null);
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}...` : text;
}

/** Describes which run changed which attribute of the objects at an address. */
export function blameText({ objects }: Blame): string {
  const parts = objects.map(({ address, exists, attributes, runs }) => {
    const rows = attributes.map(({ run, outside, ...attribute }) => [
      `    ${run === undefined ? 'before the history' : run.id}`,
      oneLine(run?.who ?? ''),
      run === undefined ? '' : `${commandText(run)}${outside === true ? ' (outside)' : ''}`,
      attributeText(attribute),
    ]);
    const table = rows.length === 0 ? '' : tableText(rows);
    const list = runs
      .map(({ run, action }) => `    ${run.id}  ${action.padEnd(7)} ${run.outcome}\n`)
      .join('');
    return `${address}${exists ? '' : ' (not in the state any more)'}\n${table}  Runs:\n${list}`;
  });
  return parts.join('\n');
}
