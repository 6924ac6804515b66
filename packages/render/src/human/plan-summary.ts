import type { Action, PlannedChange } from '@terrane/engine';
import { displayWidth } from '../text/display-width.ts';
import { colorize, type TextStyle } from '../text/style.ts';
import { hasMoved } from './change-heading.ts';
import { paletteOf } from './palette.ts';
import { countsText, isShown } from './plan-counts.ts';
import { planText, shownDrift } from './plan-text.ts';
import type { ShownPlan } from './shown-plan.ts';

/** Actions on objects in the order of the summary. */
const KINDS: readonly (readonly [Action, string])[] = [
  ['create', 'create'],
  ['update', 'update in-place'],
  ['delete-then-create', 'destroy and then create replacement'],
  ['create-then-delete', 'create replacement and then destroy'],
  ['create-then-forget', 'create replacement and forget, without destroying'],
  ['forget-then-create', 'forget, without destroying, and create replacement'],
  ['delete', 'destroy'],
  ['forget', 'forget, without destroying'],
  ['read', 'read (data resources)'],
  ['no-op', 'move or import, without changes'],
];

/** Columns before the names of objects. */
const NAME_INDENT = 8;

/**
 * Formats a short plan without values: the objects by module and action, with one line for all instances of a resource;
 * then drift, deferred changes and changed outputs. The count is that of {@link planText}, as is the text of an empty
 * plan.
 */
export function planSummaryText(plan: ShownPlan, style: TextStyle): string {
  const changes = plan.changes.filter(isShown);
  const outputs = plan.outputs.filter(({ action }) => action !== 'no-op');
  const drift = shownDrift(plan, style);
  const rest = outputs.length + plan.invocations.length + plan.deferred.length + drift.length;
  if (changes.length + rest === 0) return planText(plan, style);

  const parts: string[] = [];
  if (changes.length > 0) {
    const heading = plan.errored
      ? 'Planned before a problem was encountered, by module:'
      : 'Planned changes, by module:';
    parts.push(`${heading}\n\n${changesByModule(changes, style)}`);
  }
  if (drift.length > 0) {
    const lines = drift.map(({ action, addr }) => `${symbolOf(action, style)} ${addr.text}\n`);
    parts.push(`Changed outside:\n${lines.join('')}`);
  }
  if (plan.deferred.length > 0) {
    const lines = plan.deferred.map(({ change }) => `    ${change.addr.text}\n`);
    parts.push(`Deferred to a later plan:\n${lines.join('')}`);
  }
  if (plan.invocations.length > 0) {
    const lines = plan.invocations.map(({ addr }) => `    ${addr.text}\n`);
    parts.push(`Actions to be invoked:\n${lines.join('')}`);
  }
  if (outputs.length > 0) {
    const lines = outputs.map(({ action, name }) => `${symbolOf(action, style)} ${name}\n`);
    parts.push(`Changes to Outputs:\n${lines.join('')}`);
  }
  if (changes.length + plan.invocations.length > 0) parts.push(countsText(plan, style));
  return parts.map((part) => `\n${part}`).join('');
}

/** Formats the object counts of {@link planSummaryText} below a plan too long for one screen. */
export function planOverviewText(plan: ShownPlan, style: TextStyle): string {
  const changes = plan.changes.filter(isShown);
  return changes.length === 0 ? '' : `\nIn short:\n\n${changesByModule(changes, style)}`;
}

/** The objects of a plan by module and action. */
function changesByModule(changes: readonly PlannedChange[], style: TextStyle): string {
  const modules = new Map<string, PlannedChange[]>();
  for (const change of changes) {
    const module = change.addr.resource.module.text;
    const moduleChanges = modules.get(module);
    if (moduleChanges === undefined) modules.set(module, [change]);
    else moduleChanges.push(change);
  }
  let text = '';
  for (const [module, members] of modules) {
    const heading = module === '' ? 'root module' : module;
    text += `${text === '' ? '' : '\n'}${colorize(`[bold]  ${heading}[reset]`, style.color)}\n`;
    for (const [action, words] of KINDS) {
      const matching = members.filter((change) => change.action === action);
      if (matching.length === 0) continue;
      text += `  ${symbolOf(action, style)} ${words} (${matching.length})\n`;
      for (const line of resourceLines(matching, module, style)) text += `${line}\n`;
    }
  }
  return text;
}

function symbolOf(action: Action, style: TextStyle): string {
  return paletteOf(style).symbols[action];
}

/** Returns a line for each resource with its instance keys, and one for each instance with further details. */
function resourceLines(
  changes: readonly PlannedChange[],
  module: string,
  style: TextStyle,
): readonly string[] {
  const lines: string[] = [];
  let resource: string | undefined;
  let keys: string[] = [];
  const flush = (): void => {
    if (resource !== undefined) lines.push(keysLine(resource, keys, style.width));
    resource = undefined;
    keys = [];
  };
  for (const change of changes) {
    const { addr } = change;
    const within = (text: string): string => (module === '' ? text : text.slice(module.length + 1));
    const note = noteOf(change);
    const name = within(addr.resource.text);
    if (note !== '') {
      flush();
      lines.push(`${' '.repeat(NAME_INDENT)}${within(addr.text)} (${note})`);
      continue;
    }
    if (name !== resource) flush();
    resource = name;
    keys.push(within(addr.text).slice(name.length));
  }
  flush();
  return lines;
}

/** Formats as many keys as fit on the line, and the number of the others. */
function keysLine(resource: string, keys: readonly string[], columns: number): string {
  const room = (columns > 1 ? columns : Infinity) - NAME_INDENT - ` and ${keys.length} more`.length;
  let text = resource;
  let width = displayWidth(resource);
  let shownCount = 0;
  for (const key of keys) {
    const part = shownCount === 0 ? key : `, ${key}`;
    width += displayWidth(part);
    if (shownCount > 0 && width > room) break;
    text += part;
    shownCount++;
  }
  const more = keys.length - shownCount;
  return `${' '.repeat(NAME_INDENT)}${text}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Returns the special property of a change. */
function noteOf(change: PlannedChange): string {
  const notes: string[] = [];
  if (change.deposed !== undefined) notes.push(`deposed object ${change.deposed}`);
  if (hasMoved(change)) notes.push(`moved from ${change.previousAddr.text}`);
  if (change.importing !== undefined) {
    const { id } = change.importing;
    notes.push(id === undefined ? 'imported' : `imported from ${JSON.stringify(id)}`);
  }
  if (change.reason === 'replace_because_tainted') notes.push('tainted');
  if (change.reason === 'replace_by_request') notes.push('as requested');
  return notes.join(', ');
}
