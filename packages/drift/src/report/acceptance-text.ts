import { programCommand } from '@terrane/host';
import { locationText } from '../location.ts';
import type { DriftedAttribute, DriftEntry, DriftReport } from '../model.ts';
import { valueWords } from './words.ts';

/** Describes the steps that adopt the reported drift. Executes none of them. */
export function acceptanceText({ entries }: DriftReport): string {
  const accepted = entries.filter(({ isIgnored }) => !isIgnored);
  if (accepted.length === 0) return 'There is no drift to adopt.\n';
  const edits = accepted.flatMap(editsOf);
  const targets = accepted.flatMap(({ kind, address }) => (kind === 'output' ? [] : [address]));
  const lines: string[] = [];
  if (edits.length > 0) {
    lines.push('1. Edit the configuration, so that it agrees with what exists:', '');
    lines.push(...edits.map((line) => `   ${line}`), '');
  }
  const number = edits.length > 0 ? '2' : '1';
  lines.push(`${number}. Store what exists in the state. This changes no object:`, '');
  const selected = targets.map((address) => ` ${shellQuoted(`-target=${address}`)}`).join('');
  // An apply with -target does not store root outputs, so targets are omitted if all drift is accepted.
  const isAll = accepted.length === entries.length;
  lines.push(`   ${programCommand('apply')} -refresh-only${isAll ? '' : selected}`, '');
  lines.push(`${edits.length > 0 ? '3' : '2'}. Verify that nothing is left to change:`, '');
  lines.push(`   ${programCommand('plan')} -detailed-exitcode`);
  return `${lines.join('\n')}\n`;
}

function editsOf(entry: DriftEntry): readonly string[] {
  const { address, isVanished, location, prediction } = entry;
  if (isVanished) {
    return location === undefined || prediction.action === 'forget'
      ? []
      : [
          `${locationText(location)}: remove the instance ${address}, or the whole block; if it stays, the next apply creates the object again`,
        ];
  }
  return entry.changes.filter(needsEdit).map((change) => {
    const { path, after, configuredAt } = change;
    const at = configuredAt === undefined ? '' : `${locationText(configuredAt)}: `;
    const value =
      after.kind === 'absent'
        ? `remove ${path}`
        : after.kind === 'sensitive'
          ? `set ${path} to the new value, which is sensitive and not shown`
          : `set ${path} to ${after.kind === 'known' ? after.json : valueWords(after)}`;
    return `${at}${value} (${address})`;
  });
}

function needsEdit({ level, ignoredBy }: DriftedAttribute): boolean {
  return level === 'configured' && ignoredBy === undefined;
}

/** Quotes an argument for a POSIX shell. */
function shellQuoted(argument: string): string {
  return /^[\w./=:@-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", `'\\''`)}'`;
}
