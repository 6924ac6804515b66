import { fields } from '../http/request.ts';
import { redactedChange } from '../routes/redacted-plan.ts';
import { type Html, html } from './html.ts';
import { scrollingTable } from './table.ts';

/** Kinds of changes in the order of review: destructive ones first. */
const KINDS = [
  'destroy',
  'replace',
  'forget',
  'update',
  'create',
  'import',
  'move',
  'read',
] as const;
type Kind = (typeof KINDS)[number];

const HEADINGS: Readonly<Record<Kind, string>> = {
  destroy: 'Destroyed',
  replace: 'Replaced',
  forget: 'Forgotten, without being destroyed',
  update: 'Updated in place',
  create: 'Created',
  import: 'Imported',
  move: 'Moved',
  read: 'Read during apply',
};

/** Why the engine plans a change, by `action_reason` of the plan. */
const REASONS: Readonly<Record<string, string>> = {
  replace_because_tainted: 'The object is tainted.',
  replace_because_cannot_update: 'The provider cannot update these arguments in place',
  replace_by_request: 'The replacement was requested.',
  replace_by_triggers: 'An object in replace_triggered_by changes.',
  delete_because_no_resource_config: 'The resource is no longer in the configuration.',
  delete_because_no_module: 'The module is no longer in the configuration.',
  delete_because_wrong_repetition: 'The resource is repeated in another way than before.',
  delete_because_count_index: 'The index is out of the range of count.',
  delete_because_each_key: 'The key is no longer in for_each.',
  delete_because_no_move_target: 'The object moved to an address that is not in the configuration.',
  read_because_config_unknown: 'The configuration has values that are known after the apply only.',
  read_because_dependency_pending: 'A dependency has changes to apply first.',
  read_because_check_nested: 'The data source belongs to a check.',
};

/** The largest number of changes that are listed in full; a larger plan is read in its log. */
const MOST_CHANGES = 1000;
const LONGEST_VALUE = 300;

interface Change {
  readonly kind: Kind;
  readonly address: string;
  readonly causes: readonly string[];
  readonly rows: readonly AttributeChange[];
}

interface AttributeChange {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

/** The review of a plan: destroyed objects first, with the cause of each change, and no sensitive values. */
export function planReview(plan: unknown): Html {
  const source = fields(plan);
  const changes = listOf(source['resource_changes']).flatMap((each) => changeOf(each) ?? []);
  const outputs = Object.entries(fields(source['output_changes'])).flatMap(([name, change]) => {
    const { actions, before, after, after_unknown: unknown } = redactedChange(change);
    if (listOf(actions).includes('no-op')) return [];
    return [
      { name, before: valueText(before), after: unknown === true ? UNKNOWN : valueText(after) },
    ];
  });
  const drift = listOf(source['resource_drift']).map((each) => String(fields(each)['address']));
  if (changes.length === 0 && outputs.length === 0 && drift.length === 0) {
    return html`<p>The plan changes nothing.</p>`;
  }
  const groups = KINDS.map((kind) => ({
    kind,
    members: changes.filter((each) => each.kind === kind),
  })).filter(({ members }) => members.length > 0);
  let left = MOST_CHANGES;
  return html`<ul class="counts" aria-label="Numbers of changes">
      ${groups.map(
        ({ kind, members }) => html`<li class="${kind}">${members.length} ${HEADINGS[kind]}</li>`,
      )}
    </ul>
    ${groups.map(({ kind, members }) => {
      const visibleMembers = members.slice(0, left);
      left -= visibleMembers.length;
      const rest = members.length - visibleMembers.length;
      return html`<h3>${HEADINGS[kind]}</h3>
        <ul class="changes ${kind}">
          ${visibleMembers.map(changeItem)}
        </ul>
        ${rest > 0 && html`<p>${rest} more are in the log of the plan.</p>`}`;
    })}
    ${
      outputs.length > 0 &&
      html`<h3>Outputs</h3>
        ${attributeTable('Changes of outputs', outputs)}`
    }
    ${
      drift.length > 0 &&
      html`<h3>Changed outside of the configuration</h3>
        <ul>
          ${drift.slice(0, MOST_CHANGES).map((address) => html`<li><code>${address}</code></li>`)}
        </ul>`
    }`;
}

function changeItem({ kind, address, causes, rows }: Change): Html {
  const heading = html`<code>${address}</code>`;
  const reasons = causes.map((cause) => html`<p class="cause">${cause}</p>`);
  if (rows.length === 0) return html`<li>${heading}${reasons}</li>`;
  return html`<li>
    ${heading}${reasons}
    <details>
      <summary>
        ${rows.length} ${rows.length === 1 ? 'argument' : 'arguments'}
        <span class="hidden">of ${address}</span>
      </summary>
      ${attributeTable(`${HEADINGS[kind]}: ${address}`, rows)}
    </details>
  </li>`;
}

function attributeTable(label: string, rows: readonly AttributeChange[]): Html {
  return scrollingTable(
    label,
    ['Name', 'Before', 'After'],
    rows.map(
      ({ name, before, after }) =>
        html`<tr>
          <th scope="row"><code>${name}</code></th>
          <td><code>${before}</code></td>
          <td><code>${after}</code></td>
        </tr>`,
    ),
  );
}

function changeOf(value: unknown): Change | undefined {
  const source = fields(value);
  const change = redactedChange(source['change']);
  const actions = listOf(change['actions']).map(String);
  const previous = source['previous_address'];
  const hasMoved = typeof previous === 'string' && previous !== source['address'];
  const isImported = fields(change['importing'])['id'] !== undefined;
  const kind = kindOf(actions, hasMoved, isImported);
  if (kind === undefined) return undefined;
  const deposed = source['deposed'];
  const address = String(source['address']);
  const paths = listOf(change['replace_paths']).map(pathText);
  const reason = source['action_reason'];
  const text = typeof reason === 'string' ? (REASONS[reason] ?? reason) : undefined;
  return {
    kind,
    address: typeof deposed === 'string' ? `${address} (deposed object ${deposed})` : address,
    causes: [
      ...(text === undefined
        ? []
        : [paths.length > 0 && !text.endsWith('.') ? `${text}: ${paths.join(', ')}.` : text]),
      ...(text === undefined && paths.length > 0 ? [`Replaced for: ${paths.join(', ')}.`] : []),
      ...(hasMoved ? [`Moved from ${previous}.`] : []),
      ...(isImported ? ['Imported first.'] : []),
    ],
    rows: rowsOf(fields(source['change']), change),
  };
}

function kindOf(
  actions: readonly string[],
  hasMoved: boolean,
  isImported: boolean,
): Kind | undefined {
  const has = (action: string): boolean => actions.includes(action);
  if (has('create') && (has('delete') || has('forget'))) return 'replace';
  if (has('delete')) return 'destroy';
  if (has('forget')) return 'forget';
  if (has('update')) return 'update';
  if (has('create')) return 'create';
  if (has('read')) return 'read';
  if (isImported) return 'import';
  return hasMoved ? 'move' : undefined;
}

const UNKNOWN = '(known after apply)';

/** Returns the arguments that change. Sensitive ones are compared before they are redacted. */
function rowsOf(
  original: Readonly<Record<string, unknown>>,
  redacted: Readonly<Record<string, unknown>>,
): readonly AttributeChange[] {
  const [oldValues, newValues] = [fields(original['before']), fields(original['after'])];
  const [before, after] = [fields(redacted['before']), fields(redacted['after'])];
  const unknown = fields(original['after_unknown']);
  const names = new Set([
    ...Object.keys(oldValues),
    ...Object.keys(newValues),
    ...Object.keys(unknown),
  ]);
  return [...names].sort().flatMap((name) => {
    const isUnknown = holds(unknown[name]);
    const isSame = JSON.stringify(oldValues[name]) === JSON.stringify(newValues[name]);
    if (isSame && !isUnknown) return [];
    const [old, fresh] = [valueText(before[name]), isUnknown ? UNKNOWN : valueText(after[name])];
    return old === '' && fresh === '' ? [] : [{ name, before: old, after: fresh }];
  });
}

/** Returns true if a value of marks marks something. */
function holds(marks: unknown): boolean {
  if (marks === true) return true;
  return typeof marks === 'object' && marks !== null && Object.values(marks).some(holds);
}

function valueText(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}

function pathText(path: unknown): string {
  return listOf(path)
    .map((step, index) =>
      typeof step === 'number' ? `[${step}]` : `${index > 0 ? '.' : ''}${String(step)}`,
    )
    .join('');
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
