import { terminalText } from '@terrane/render/terminal-text';
import type { Judgement, PolicyReport } from '../run/model.ts';
import { policyCounts } from './report-json.ts';

/** The maximum number of lines of each kind in a text report. */
const MAX_LINES = 20;

/** Formats a report as text: counts, undecided policies, overrides, and messages of passed policies. */
export function policyReportText(report: PolicyReport): string {
  const { passed, failed, undecided, errors, overridden } = policyCounts(report);
  const parts = [`${passed} passed`];
  if (failed > 0) parts.push(`${failed} failed`);
  if (errors > 0) parts.push(`${errors} with errors`);
  if (overridden > 0) parts.push(`${overridden} overridden`);
  if (undecided > 0) parts.push(`${undecided} decided during the apply`);
  const policies = `${report.policies} ${report.policies === 1 ? 'policy' : 'policies'}`;
  const lines = [`Policies: ${parts.join(', ')} (${policies}).`];
  const undecidedJudgements = report.judgements.filter(
    ({ result }) => result.outcome === 'unknown',
  );
  lines.push(
    ...truncated(
      undecidedJudgements.map((each) => `  ? ${judgementName(each)}: values are not known yet`),
    ),
  );
  const overrides = [
    ...report.judgements.flatMap((each) =>
      each.override === undefined
        ? []
        : [
            `  ! ${judgementName(each)}: overridden by ${each.override.by}: ${each.override.reason}`,
          ],
    ),
    ...report.checkers.flatMap(({ checker, override }) =>
      override === undefined
        ? []
        : [`  ! checker ${checker.name}: overridden by ${override.by}: ${override.reason}`],
    ),
  ];
  lines.push(...truncated(overrides));
  const messages = report.judgements.flatMap((each) =>
    each.result.enforcements.flatMap(({ outcome, message }) =>
      outcome === 'pass' && message !== undefined ? [`  i ${judgementName(each)}: ${message}`] : [],
    ),
  );
  lines.push(...truncated(messages));
  return terminalText(`${lines.join('\n')}\n`);
}

function truncated(lines: readonly string[]): readonly string[] {
  if (lines.length <= MAX_LINES) return lines;
  return [...lines.slice(0, MAX_LINES), `  … and ${lines.length - MAX_LINES} more`];
}

function judgementName({ object, result }: Judgement): string {
  const operation = object.operation === undefined ? '' : ` (${object.operation})`;
  return `${result.policy.name} for ${object.address}${operation}`;
}
