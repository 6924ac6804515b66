import type { PlannedChange, RunEvent } from '@terrane/engine';
import { quoteText, trimSpace, trimSpaceRight } from '@terrane/cty';
import { identityText } from '@terrane/provider';
import { colorize, type TextStyle } from '../text/style.ts';

/** The maximum length of an ID that is shown in full while the operation is running. */
const ID_LIMIT = 80;

const VERBS = {
  create: ['Creating...', 'Still creating...', 'Creation complete'],
  update: ['Modifying...', 'Still modifying...', 'Modifications complete'],
  delete: ['Destroying...', 'Still destroying...', 'Destruction complete'],
  read: ['Reading...', 'Still reading...', 'Read complete'],
  open: ['Opening...', 'Still opening...', 'Opening complete'],
  renew: ['Renewing...', 'Still renewing...', 'Renewal complete'],
  close: ['Closing...', 'Still closing...', 'Closing complete'],
} as const;

type EventOf<K> = Extract<RunEvent, { readonly kind: K }>;

/** Formats a line for each result of a query, followed by an empty one; undefined without results. */
function foundText({
  addr,
  results,
}: Extract<RunEvent, { kind: 'list-complete' }>): string | undefined {
  if (results.length === 0) return undefined;
  const identities = results.map(({ identity }) => identityText(identity));
  const width = Math.max(...identities.map((text) => Buffer.byteLength(text)));
  const lines = results.map(({ displayName }, index) => {
    const identity = identities[index] ?? '';
    const padding = ' '.repeat(width - Buffer.byteLength(identity));
    return `${addr.text}   ${identity}${padding}   ${displayName}\n`;
  });
  return lines.join('');
}

/**
 * Formats the line or lines of an event, without the last line break; undefined for events without output: ends of
 * refreshes, failures (their diagnostics follow), and events that the plan contains anyway.
 */
export function eventText(event: RunEvent, style?: Pick<TextStyle, 'color'>): string | undefined {
  const color = style?.color ?? false;
  switch (event.kind) {
    case 'refresh-start':
      return boldLine(address(event), 'Refreshing state...', idSuffix(event), '', color);
    case 'list-complete':
      return foundText(event);
    case 'read-start':
      return boldLine(address(event), 'Reading...', idSuffix(event), '[reset]', color);
    case 'read-complete':
      return completeText(event, 'Read complete', color);
    case 'apply-start':
      if (event.action === 'forget') return undefined;
      return boldLine(address(event), VERBS[event.action][0], idSuffix(event), '[reset]', color);
    case 'apply-progress':
      return event.action === 'forget'
        ? undefined
        : colorize(
            `[reset][bold]${event.addr.text}: ${VERBS[event.action][1]} [${progressId(event)}${elapsedText(event.elapsedMs)} elapsed]${noteText(event)}[reset]`,
            color,
          );
    case 'apply-complete':
      return event.action === 'forget'
        ? undefined
        : completeText(event, VERBS[event.action][2], color);
    case 'ephemeral-start':
    case 'ephemeral-progress':
    case 'ephemeral-complete':
    case 'ephemeral-errored':
    case 'ephemeral-deferred':
      return ephemeralText(event, color);
    case 'provision-start':
      return colorize(
        `[reset][bold]${event.addr.text}: Provisioning with '${event.provisioner}'...[reset]`,
        color,
      );
    case 'provision-progress': {
      const prefix = colorize(
        `[reset][bold]${event.addr.text} (${event.provisioner}):[reset] `,
        color,
      );
      const lines = outputLinesOf(event.output ?? '');
      return trimSpace(lines.map((line) => prefix + line).join('\n'));
    }
    case 'import-start':
    case 'import-found':
    case 'import-prepare':
    case 'import-complete':
      return importText(event, color);
    case 'action-start':
    case 'action-progress':
    case 'action-complete':
    case 'action-errored':
      return actionText(event, color);
    case 'message':
      return event.text;
    case 'refresh-complete':
    case 'apply-note':
    case 'apply-errored':
    case 'list-start':
    case 'provision-complete':
    case 'provision-errored':
    case 'planned-change':
    case 'resource-drift':
    case 'diagnostic':
      return undefined;
  }
}

function ephemeralText(event: EventOf<`ephemeral-${string}`>, color: boolean): string | undefined {
  switch (event.kind) {
    case 'ephemeral-start':
      return colorize(`[reset][bold]${event.addr.text}: ${VERBS[event.action][0]}`, color);
    case 'ephemeral-progress':
      return colorize(
        `[reset][bold]${event.addr.text}: ${VERBS[event.action][1]} [${elapsedText(event.elapsedMs)} elapsed][reset]`,
        color,
      );
    case 'ephemeral-complete':
      return completeText(event, VERBS[event.action][2], color);
    case 'ephemeral-errored':
      return undefined;
    case 'ephemeral-deferred':
      return colorize(
        `[reset][bold]${event.addr.text}: Configuration unknown, deferring...`,
        color,
      );
  }
}

function importText(event: EventOf<`import-${string}`>, color: boolean): string {
  switch (event.kind) {
    case 'import-start':
      return colorize(
        `[reset][bold]${event.addr.text}: Importing from ID ${quoteText(event.id)}...`,
        color,
      );
    case 'import-found':
      return [
        `[reset][bold][green]${event.addr.text}: Import prepared!`,
        ...event.types.map((type) => `[reset][green]  Prepared ${type} for import`),
      ]
        .map((line) => colorize(line, color))
        .join('\n');
    case 'import-prepare':
      return colorize(
        `[reset][bold]${event.addr.text}: Preparing import... [${importedBy(event.importing)}]`,
        color,
      );
    case 'import-complete': {
      const by = importedBy(event.importing);
      const lines = [`Importing... [${by}]`, `Import complete [${by}]`];
      return colorize(
        lines.map((line) => `[reset][bold]${event.addr.text}: ${line}`).join('\n'),
        color,
      );
    }
  }
}

function actionText(event: EventOf<`action-${string}`>, color: boolean): string {
  switch (event.kind) {
    case 'action-start':
      return colorize(`[reset][bold]Action started: ${actionId(event)}[reset]`, color);
    case 'action-progress': {
      const prefix = colorize(`[reset][bold]Action ${actionId(event)}:[reset] `, color);
      return `${prefix}${event.message ?? ''}${colorize('[reset]', color)}`;
    }
    case 'action-complete':
      return colorize(`[reset][bold][green]Action complete: ${actionId(event)}[reset]`, color);
    case 'action-errored': {
      const prefix = colorize(`[reset][bold][red]Action failed: ${actionId(event)} - `, color);
      return `${prefix}${event.message ?? ''}${colorize('[reset]', color)}`;
    }
  }
}

/** Formats the note of a still-running operation. */
function noteText({ note = '' }: { readonly note?: string }): string {
  // The text comes from a provider: brackets must not be read as colors, nor line breaks as the end.
  const line = note.replaceAll(/\s+/g, ' ').replaceAll('[', '(').replaceAll(']', ')').trim();
  return line === '' ? '' : ` (${line})`;
}

/** Formats the import key of an adopted object: `id=x`, or `identity=` and its attributes. */
function importedBy({ id, identity }: NonNullable<PlannedChange['importing']>): string {
  return identity === undefined ? `id=${id ?? ''}` : `identity=${identityText(identity)}`;
}

/** Returns the non-empty lines of a provisioner's output. */
export function outputLinesOf(output: string): readonly string[] {
  return output
    .split(/\r\n|\n|\r/)
    .map(trimSpaceRight)
    .filter((line) => line !== '');
}

/** Formats the address of an action invocation with its trigger. */
function actionId({ invocation }: Extract<RunEvent, { readonly invocation: unknown }>): string {
  const { addr, trigger } = invocation;
  if (trigger.kind === 'lifecycle') return `${addr.text} (triggered by ${trigger.resource.text})`;
  const caller = trigger.caller === undefined ? '' : `, called from ${trigger.caller.text}`;
  return `${addr.text} (triggered by CLI${caller})`;
}

/**
 * Formats a bold line. Tags in the names of its subject and its ID are converted or removed, as by {@link colorize}.
 */
function boldLine(
  subject: string,
  action: string,
  id: string,
  end: '' | '[reset]',
  color: boolean,
): string {
  if (color) return colorize(`[reset][bold]${subject}: ${action}${id}${end}`, true);
  // A run has thousands of these lines: without color, no tags are added only to be removed again. No tag extends from
  // one part into the next.
  const names = id === '' ? '' : colorize(id, false);
  return `${colorize(subject, false)}: ${action}${names}`;
}

interface Identified {
  readonly addr: { readonly text: string };
  readonly deposed?: string;
  readonly elapsedMs?: number;
  readonly idKey?: string;
  readonly idValue?: string;
}

function address(event: Identified): string {
  return event.deposed === undefined
    ? event.addr.text
    : `${event.addr.text} (deposed object ${event.deposed})`;
}

/** Returns " [id=x]" for an object with an identifying attribute. */
export function idSuffix(event: Identified): string {
  const { idKey = '', idValue = '' } = event;
  return idKey === '' || idValue === '' ? '' : ` [${idKey}=${idValue}]`;
}

function completeText(event: Identified, verb: string, color: boolean): string {
  const action = `${verb} after ${elapsedText(event.elapsedMs)}`;
  return boldLine(event.addr.text, action, idSuffix(event), '', color);
}

function progressId(event: Identified): string {
  const { idKey = '', idValue = '' } = event;
  return idKey === '' || idValue === '' ? '' : `${idKey}=${shortenedId(idValue)}, `;
}

/** Shortens a long ID in the middle. */
function shortenedId(id: string): string {
  const characters = [...id];
  if (characters.length <= ID_LIMIT) return id;
  const half = ID_LIMIT / 2;
  const start = characters.slice(0, half - 1).join('');
  // Three dots and one character less on each side than half: one more of the end fits.
  const end = characters.slice(characters.length - half - 1 + 3).join('');
  return `${start}...${end}`;
}

/** Formats whole seconds as a Go duration: "0s", "10s", "1m0s", "1h0m0s". */
export function elapsedText(ms: number | undefined): string {
  const seconds = Math.round((ms ?? 0) / 1000);
  const s = seconds % 60;
  const m = Math.floor(seconds / 60) % 60;
  const h = Math.floor(seconds / 3600);
  if (h > 0) return `${h}h${m}m${s}s`;
  return m > 0 ? `${m}m${s}s` : `${s}s`;
}
