import type { ConditionCoverage, CoverageReport, ResourceCoverage } from '@terrane/engine';
import { jsonArray, JsonMembers, jsonString } from '../json/json-text.ts';
import { colorize, type TextStyle } from '../text/style.ts';

/** Returns the numbers of covered and of all resources and conditions. */
function coverageCounts({ resources, conditions }: CoverageReport): {
  readonly resources: readonly [number, number];
  readonly applied: number;
  readonly conditions: readonly [number, number];
  readonly both: number;
} {
  return {
    resources: [resources.filter(({ reached }) => reached !== 'none').length, resources.length],
    applied: resources.filter(({ reached }) => reached === 'applied').length,
    conditions: [conditions.filter(isReached).length, conditions.length],
    both: conditions.filter(({ held, failed }) => held && failed).length,
  };
}

function isReached({ held, failed }: ConditionCoverage): boolean {
  return held || failed;
}

/** Formats the coverage of a configuration by tests, with all uncovered parts. */
export function coverageText(report: CoverageReport, style: TextStyle): string {
  const counts = coverageCounts(report);
  const lines = [
    '',
    'Coverage:',
    `  resources   ${ratio(counts.resources)}, ${counts.applied} of them applied`,
    `  conditions  ${ratio(counts.conditions)}, ${counts.both} of them with both outcomes`,
  ];
  const missed = [
    ...report.resources.flatMap((resource) =>
      resource.reached === 'none'
        ? [`${resource.address} (${locationText(resource)}): in no plan`]
        : [],
    ),
    ...report.conditions.flatMap((condition) => missedOutcome(condition)),
  ];
  if (missed.length > 0) {
    lines.push('', 'Not exercised:');
    for (const line of missed) lines.push(`  ${colorize('[yellow]-[reset]', style.color)} ${line}`);
  }
  return `${lines.join('\n')}\n`;
}

function missedOutcome(condition: ConditionCoverage): readonly string[] {
  const { address, kind, held, failed } = condition;
  if (held && failed) return [];
  const reason = held ? 'never failed' : failed ? 'never held' : 'never evaluated';
  return [`${kind} of ${address} (${locationText(condition)}): ${reason}`];
}

function ratio([covered, all]: readonly [number, number]): string {
  const share = all === 0 ? '' : ` (${Math.floor((100 * covered) / all)} %)`;
  return `${covered} of ${all}${share}`;
}

function locationText({ range }: Pick<ResourceCoverage, 'range'>): string {
  return `${range.filename}:${range.from.line}`;
}

/** Formats the coverage as JSON. */
export function coverageJson(report: CoverageReport): string {
  const at = (entry: Pick<ResourceCoverage, 'range'>): JsonMembers =>
    new JsonMembers()
      .add('file', jsonString(entry.range.filename))
      .add('line', String(entry.range.from.line));
  const resources = report.resources.map((resource) =>
    new JsonMembers()
      .add('address', jsonString(resource.address))
      .add('reached', jsonString(resource.reached))
      .add('range', at(resource).text())
      .text(),
  );
  const conditions = report.conditions.map((condition) =>
    new JsonMembers()
      .add('address', jsonString(condition.address))
      .add('kind', jsonString(condition.kind))
      .add('held', String(condition.held))
      .add('failed', String(condition.failed))
      .add('range', at(condition).text())
      .text(),
  );
  return new JsonMembers()
    .add('resources', jsonArray(resources))
    .add('conditions', jsonArray(conditions))
    .text();
}

/** Formats the coverage as one sentence. */
export function coverageLine(report: CoverageReport): string {
  const { resources, conditions } = coverageCounts(report);
  return `Coverage: ${ratio(resources)} resources, ${ratio(conditions)} conditions`;
}
