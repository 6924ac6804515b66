// The comment on a pull request, as Markdown of GitHub.
import type { Cause, Change, PlanStream, Problem } from './plan.ts';

/** Most characters of a comment. GitHub accepts one more. */
export const MAX_COMMENT = 65_535;

/** Content of a pull-request comment. */
export interface CommentInput {
  readonly label: string;
  readonly plan: PlanStream;
  /** the printed plan, without colors */
  readonly text: string;
  readonly exitCode: number;
  /** address of the log */
  readonly logUrl: string;
  /** abbreviated commit; empty if unknown */
  readonly commit: string;
}

/** Returns the invisible first line of a comment, by which it is found again. */
export function markerOf(label: string): string {
  return `<!-- terrane-plan: ${encodeURIComponent(label).replaceAll('--', '%2D%2D')} -->`;
}

interface Kind {
  readonly title: string;
  readonly icon: string;
}

const KINDS = {
  destroy: { title: 'destroy', icon: '🔴' },
  replace: { title: 'replace', icon: '🟠' },
  forget: { title: 'forget', icon: '⚪' },
  update: { title: 'update', icon: '🟡' },
  create: { title: 'create', icon: '🟢' },
  other: { title: 'read', icon: '🔵' },
} as const satisfies Readonly<Record<string, Kind>>;

/** Returns the kind of a change; undefined if nothing is done. */
function kindOf({ actions, kind }: Change): keyof typeof KINDS | undefined {
  if (kind === 'output') return undefined;
  const has = (action: string): boolean => actions.includes(action);
  if (has('delete') && has('create')) return 'replace';
  if (has('delete')) return 'destroy';
  if (has('forget')) return has('create') ? 'replace' : 'forget';
  if (has('update')) return 'update';
  if (has('create')) return 'create';
  return has('no-op') || actions.length === 0 ? undefined : 'other';
}

/** Returns the changes that something is done for: destroyed and replaced objects first. */
export function orderedChanges(changes: readonly Change[]): readonly Change[] {
  const order = Object.keys(KINDS);
  const rank = (change: Change): number => order.indexOf(kindOf(change) ?? '');
  return changes.filter((change) => rank(change) >= 0).toSorted((a, b) => rank(a) - rank(b));
}

/** Formats text of others as code, so that it is neither Markdown nor a mention. */
export function code(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  const fence = '`'.repeat(longestRun(line, '`') + 1);
  const isDelimited = line.startsWith('`') || line.endsWith('`');
  return isDelimited ? `${fence} ${line} ${fence}` : `${fence}${line}${fence}`;
}

function longestRun(text: string, character: string): number {
  const runs = text.match(new RegExp(`${character}+`, 'g')) ?? [];
  return runs.reduce((longest, run) => Math.max(longest, run.length), 0);
}

/** Formats a block of text of others, which cannot end it. */
function block(text: string, language: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text, '`') + 1));
  return `${fence}${language}\n${text}\n${fence}`;
}

/** Returns the printed changes of the given addresses. */
export function printedChanges(
  text: string,
  addresses: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const changes = new Map<string, string>();
  const [, body = ''] = text.split(/^(?:Terraform|OpenTofu) will perform the following actions:$/m);
  const [actions = ''] = body.split(/^(?:Plan: |Changes to Outputs:|─{10,})/m);
  for (const part of actions.split(/^(?= {2}# )/m)) {
    const [heading = ''] = part.slice(4).split('\n', 1);
    const address = addressIn(heading, addresses);
    const known = changes.get(address ?? '');
    // A heading has further lines, such as the reason of a replacement.
    if (address !== undefined && known === undefined) changes.set(address, part.trimEnd());
    else if (address === undefined) {
      const last = [...changes.keys()].at(-1);
      if (last !== undefined) changes.set(last, `${changes.get(last)}\n${part.trimEnd()}`);
    }
  }
  return changes;
}

/** Returns the address that a heading begins with, which may contain spaces. */
function addressIn(heading: string, addresses: ReadonlySet<string>): string | undefined {
  for (let end = heading.indexOf(' '); end !== -1; end = heading.indexOf(' ', end + 1)) {
    const address = heading.slice(0, end);
    if (addresses.has(address)) return address;
  }
  return undefined;
}

/** Moves the signs of changed lines to the beginning, where GitHub colors them. */
export function coloredDiff(text: string): string {
  return text
    .split('\n')
    .map((line) => {
      const [, space = '', sign, rest = ''] = /^(\s*)(-\/\+|\+\/-|<=|[-+~])( .*)$/.exec(line) ?? [];
      if (sign === undefined) return line;
      const mark = { '+': '+', '-': '-' }[sign] ?? '!';
      return `${mark}${space}${sign === mark ? ' ' : sign}${rest}`;
    })
    .join('\n');
}

/** Formats causes as nested lists. */
function causeLines(causes: readonly Cause[], indent: string): string {
  return causes
    .map(({ text, causes: further }) => {
      return `${indent}- ${code(text)}\n${causeLines(further, `${indent}  `)}`;
    })
    .join('');
}

function problemText({ severity, summary, detail, place }: Problem): string {
  const where = place === '' ? '' : ` (${place})`;
  const text = `${summary}${where}\n${detail === '' ? '' : `\n${detail}`}`.trimEnd();
  return `${severity === 'error' ? '❌' : '⚠️'} **${severity}**\n\n${block(text, 'text')}\n\n`;
}

/** Parts of a comment, with the most important first, and what is said if the rest does not fit. */
class Parts {
  readonly #limit: number;
  #text: string;

  constructor(text: string, limit: number) {
    this.#text = text;
    this.#limit = limit;
  }

  get text(): string {
    return this.#text;
  }

  /** Adds parts until one does not fit. Returns how many were left out. */
  add(parts: readonly string[], omitted: (count: number) => string): void {
    for (const [index, part] of parts.entries()) {
      const isLast = index === parts.length - 1;
      const reserve = isLast ? 0 : omitted(parts.length).length;
      if (this.#text.length + part.length + reserve <= this.#limit) {
        this.#text += part;
        continue;
      }
      const note = omitted(parts.length - index);
      if (this.#text.length + note.length <= this.#limit) this.#text += note;
      return;
    }
  }
}

/** Returns the comment of a plan, with at most `limit` characters. */
export function commentOf(input: CommentInput, limit: number = MAX_COMMENT): string {
  const { label, plan, exitCode, logUrl, commit } = input;
  const log = logUrl === '' ? 'the log' : `[the log](${logUrl})`;
  const of = commit === '' ? '' : ` of ${code(commit)}`;
  const footer = `\n<sub>Plan${of} by Terrane · ${log}</sub>\n`;
  const changes = orderedChanges(plan.changes);
  const failed = exitCode === 1;
  const isEmpty = changes.length === 0 && plan.outputs.length === 0;
  const title = failed ? 'Plan failed' : isEmpty ? 'No changes' : plan.summary;
  const head = `${markerOf(label)}\n### ${code(label)}: ${title}\n\n`;
  // Each kind of content leaves room for the more important kinds of the next.
  const parts = new Parts(head, limit - footer.length);
  const errors = plan.problems.filter(({ severity }) => severity === 'error');
  const warnings = plan.problems.filter(({ severity }) => severity !== 'error');
  parts.add(errors.map(problemText), (count) => `${further(count, 'error')} in ${log}.\n\n`);
  parts.add(
    changes.map((change) => {
      const kind = KINDS[kindOf(change) ?? 'other'];
      const [cause] = change.causes;
      const why = cause === undefined ? '' : ` – ${code(cause.text)}`;
      const later = change.deferred ? ' (deferred to a later plan)' : '';
      return `- ${kind.icon} **${kind.title}** ${code(change.address)}${later}${why}\n`;
    }),
    (count) => `- ${further(count, 'change')} in ${log}.\n`,
  );
  if (plan.outputs.length > 0) {
    const names = plan.outputs.map((name) => code(`output.${name}`)).join(', ');
    parts.add([`- outputs: ${names}\n`], (): string => `- outputs: ${plan.outputs.length}\n`);
  }
  if (failed) return parts.text + footer;
  const printed = printedChanges(input.text, new Set(changes.map(({ address }) => address)));
  const details = changes.flatMap((change) => {
    const text = printed.get(change.address);
    const hasNested =
      change.causes.some(({ causes }) => causes.length > 0) || change.causes.length > 1;
    if (text === undefined && !hasNested) return [];
    const kind = KINDS[kindOf(change) ?? 'other'];
    const causes = hasNested ? `${causeLines(change.causes, '')}\n` : '';
    const diff = text === undefined ? '' : `${block(coloredDiff(text), 'diff')}\n`;
    return [
      `\n<details><summary>${kind.icon} <code>${escapeHtml(change.address)}</code></summary>\n\n${causes}${diff}\n</details>\n`,
    ];
  });
  parts.add(
    details,
    (count) =>
      `\nThe differences of ${count} further ${count === 1 ? 'change' : 'changes'} are in ${log}.\n`,
  );
  parts.add(
    warnings.length === 0 ? [] : ['\n', ...warnings.map(problemText)],
    (count) => `${further(count, 'warning')} in ${log}.\n\n`,
  );
  return parts.text + footer;
}

const further = (count: number, noun: string): string =>
  `${count} further ${noun}${count === 1 ? ' is' : 's are'}`;

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
