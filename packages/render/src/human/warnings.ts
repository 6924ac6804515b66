import type { Diagnostic, Range } from '@terrane/hcl';
import { colorize, type TextStyle } from '../text/style.ts';

/** Ranges of the warnings that a consolidated one represents. */
const PLACES: WeakMap<Diagnostic, readonly (Range | undefined)[]> = new WeakMap();

/**
 * Merges warnings, or errors, with the same summary, so that at most `limit` remain; the last one then states the
 * number of omitted ones. Only diagnostics with a source range are merged, and never those of check blocks. Other
 * severities are unchanged.
 */
export function consolidate(
  diagnostics: readonly Diagnostic[],
  severity: Diagnostic['severity'],
  limit: number,
): Diagnostic[] {
  const result: Diagnostic[] = [];
  const counts = new Map<string, number>();
  const groups = new Map<string, { readonly position: number; readonly members: Diagnostic[] }>();
  for (const diagnostic of diagnostics) {
    const { summary } = diagnostic;
    if (diagnostic.severity !== severity || !canJoin(diagnostic)) {
      result.push(diagnostic);
      continue;
    }
    const group = groups.get(summary);
    if (group !== undefined) {
      group.members.push(diagnostic);
      continue;
    }
    const count = (counts.get(summary) ?? 0) + 1;
    counts.set(summary, count);
    if (count === limit) groups.set(summary, { position: result.length, members: [diagnostic] });
    result.push(diagnostic);
  }
  for (const { position, members } of groups.values()) {
    const [first] = members;
    if (first !== undefined && members.length > 1) result[position] = joined(first, members);
  }
  return result;
}

function canJoin(diagnostic: Diagnostic): boolean {
  return diagnostic.subject !== undefined && diagnostic.extra?.kind !== 'check';
}

function joined(first: Diagnostic, members: readonly Diagnostic[]): Diagnostic {
  const more = members.length - 1;
  const note =
    more === 1
      ? `(and one more similar ${first.severity} elsewhere)`
      : `(and ${more} more similar ${first.severity}s elsewhere)`;
  const result = {
    ...first,
    detail: first.detail === '' ? note : `${first.detail}\n\n${note}`,
  };
  PLACES.set(
    result,
    members.map((member) => member.subject),
  );
  return result;
}

/** Formats warnings in two lines each: summary and location. For runs with warnings only, after {@link consolidate}. */
export function compactWarnings(warnings: readonly Diagnostic[], style: TextStyle): string {
  let text = colorize('[bold][yellow]Warnings:[reset]\n\n', style.color);
  for (const warning of warnings) {
    text += `- ${warning.summary}\n`;
    const ranges = PLACES.get(warning) ?? [warning.subject];
    const firstRange = ranges[0];
    const more = ranges.length > 1 ? ` (and ${ranges.length - 1} more)` : '';
    if (firstRange !== undefined)
      text += `  on ${firstRange.filename} line ${firstRange.from.line}${more}\n`;
  }
  return text;
}
