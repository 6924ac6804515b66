import { colorize, type TextStyle } from '@terrane/render';
import { locationText } from '../location.ts';
import type { DriftEntry, DriftReport } from '../model.ts';
import { basisWords, changeWords, countsOf, headlineOf, rulesOf, ruleWords } from './words.ts';

/** Options of the text output. */
export interface DriftTextOptions {
  /** also shows ignored entries and entries below the threshold */
  readonly verbose: boolean;
}

/** Formats a report for people. */
export function driftText(
  report: DriftReport,
  style: TextStyle,
  { verbose }: DriftTextOptions,
): string {
  const entries = verbose ? report.entries : report.alarms;
  const alarms = new Set(report.alarms);
  const lines: string[] = [];
  for (const entry of entries) lines.push(...entryLines(entry, alarms.has(entry)), '');
  lines.push(...ruleLines(report), `[bold]${summary(report)}[reset]`);
  // Values are quoted before colors are added, and brackets in them must not become colors.
  return `${lines.map((line) => colorMarker(line, style)).join('\n')}\n`;
}

/** Colors the markers at the start of a line; the rest is printed as it is. */
function colorMarker(line: string, { color }: TextStyle): string {
  const marker = /^\[(bold|red|yellow|dark_gray)\]/.exec(line);
  if (marker === null) return line;
  const isReset = line.endsWith('[reset]');
  const text = line.slice(marker[0].length, isReset ? -'[reset]'.length : undefined);
  return `${colorize(marker[0], color)}${text}${colorize('[reset]', color)}`;
}

function entryLines(entry: DriftEntry, isAlarm: boolean): readonly string[] {
  const { address, location, isVanished, changes, prediction, isIgnored } = entry;
  const color = isIgnored || !isAlarm ? 'dark_gray' : isVanished ? 'red' : 'yellow';
  const symbol = isVanished ? '-' : '~';
  const at = location === undefined ? '' : ` (${locationText(location)})`;
  const note = isIgnored ? ', ignored' : '';
  const lines = [`[${color}]${symbol} ${address} ${headlineOf(entry)}${note}${at}`];
  for (const change of changes) {
    const basis = basisWords(change);
    const ignored = change.ignoredBy === undefined || isIgnored ? '' : ' (ignored)';
    lines.push(`    ${changeWords(change)}${ignored}`);
    if (basis !== '') lines.push(`      ${basis}`);
  }
  for (const rule of rulesOf(entry)) lines.push(`    ignored by ${ruleWords(rule)}`);
  lines.push(`    ${prediction.summary}${prediction.explanation === '' ? '.' : ':'}`);
  if (prediction.explanation !== '')
    lines.push(...prediction.explanation.split('\n').map((line) => `      ${line}`));
  if (prediction.consequences.length > 0) {
    lines.push('    It also affects:');
    for (const each of prediction.consequences) lines.push(`      ${each.address}: ${each.action}`);
  }
  return lines;
}

function ruleLines({ expiredRules, unusedRules }: DriftReport): readonly string[] {
  const lines = [
    ...expiredRules.map((rule) => `[yellow]Expired rule: ${ruleWords(rule)}`),
    ...unusedRules.map((rule) => `[yellow]Rule that ignored nothing: ${ruleWords(rule)}`),
  ];
  return lines.length === 0 ? [] : [...lines, ''];
}

function summary(report: DriftReport): string {
  const { alarms, ignored, below } = countsOf(report);
  const rest = [
    ...(ignored === 0 ? [] : [`${ignored} ignored by rules`]),
    ...(below === 0 ? [] : [`${below} below the level "${report.threshold}"`]),
  ];
  const more = rest.length === 0 ? '' : ` Not counted: ${rest.join(', ')}.`;
  const incomplete = report.isComplete ? '' : ' The result is incomplete.';
  if (alarms === 0) return `No drift.${more}${incomplete}`;
  return `Drift: ${alarms} ${alarms === 1 ? 'object or output' : 'objects and outputs'}.${more}${incomplete}`;
}
