import { html as escaped } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';

/** Markup whose values are escaped. */
export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

type Value = string | number | boolean | null | undefined | Html | readonly Value[];

/** Characters that change how the text around them is displayed, and those that are not displayed at all. */
const DECEPTIVE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Replaces the characters with which a name can pretend to be another one. */
export function visible(text: string): string {
  return text.replaceAll(
    DECEPTIVE,
    (char) => `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
}

function escapedValue(value: Value): Value {
  if (typeof value === 'string' && !('isEscaped' in Object(value))) return visible(value);
  return Array.isArray(value) ? value.map(escapedValue) : value;
}

/** Builds markup. Every value is escaped, except for markup that this function has built. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  return escaped(strings, ...values.map(escapedValue));
}

/** Markup of a time, in UTC. */
export function time(value: Date | string): Html {
  const iso = typeof value === 'string' ? value : value.toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;
}

/** Returns a status as people read it: `planned_and_finished` as "Planned and finished". */
export function statusText(status: string): string {
  const text = status.replaceAll(/[_-]/g, ' ');
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

const GOOD: ReadonlySet<string> = new Set([
  'applied',
  'planned_and_finished',
  'finished',
  'passed',
  'overridden',
]);
const BAD: ReadonlySet<string> = new Set([
  'errored',
  'policy_soft_failed',
  'failed',
  'soft_failed',
  'hard_failed',
  'drifted',
]);
const WAITING: ReadonlySet<string> = new Set([
  'planned',
  'planned_and_saved',
  'policy_checked',
  'policy_override',
]);
const ENDED: ReadonlySet<string> = new Set(['canceled', 'discarded', 'unreachable']);

/** Markup of a status. Its color repeats its text. */
export function statusBadge(status: string): Html {
  const kind = GOOD.has(status)
    ? 'good'
    : BAD.has(status)
      ? 'bad'
      : WAITING.has(status)
        ? 'waiting'
        : ENDED.has(status)
          ? 'ended'
          : 'active';
  return html`<span class="badge ${kind}">${statusText(status)}</span>`;
}
