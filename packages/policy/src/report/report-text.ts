import { terminalText } from '@terrane/render/terminal-text';
import type { Judgement, PolicyReport } from '../run/model.ts';
import { policyCounts } from './report-json.ts';

/** The most lines of one kind in a text report. */
const MOST_LINES = 20;

/** Returns a report as text: the numbers, what is decided later, overrides and the messages of passed policies. */
export function policyReportText(report: PolicyReport): string {
  const { passed, failed, undecided, errors, overridden } = policyCounts(report);
  const parts = [`${passed} passed`];
  if (failed > 0) parts.push(`${failed} failed`);
  if (errors > 0) parts.push(`${errors} with errors`);
  if (overridden > 0) parts.push(`${overridden} overridden`);
  if (undecided > 0) parts.push(`${undecided} decided during the apply`);
  const policies = `${report.policies} ${report.policies === 1 ? 'policy' : 'policies'}`;
  const lines = [`Policies: ${parts.join(', ')} (${policies}).`];
  const later = report.judgements.filter(({ result }) => result.outcome === 'unknown');
  lines.push(...listed(later.map((each) => `  ? ${judgedText(each)}: values are not known yet`)));
  const overrides = [
    ...report.judgements.flatMap((each) =>
      each.override === undefined
        ? []
        : [`  ! ${judgedText(each)}: overridden by ${each.override.by}: ${each.override.reason}`],
    ),
    ...report.checkers.flatMap(({ checker, override }) =>
      override === undefined
        ? []
        : [`  ! checker ${checker.name}: overridden by ${override.by}: ${override.reason}`],
    ),
  ];
  lines.push(...listed(overrides));
  const messages = report.judgements.flatMap((each) =>
    each.result.enforcements.flatMap(({ outcome, message }) =>
      outcome === 'pass' && message !== undefined ? [`  i ${judgedText(each)}: ${message}`] : [],
    ),
  );
  lines.push(...listed(messages));
  return terminalText(`${lines.join('\n')}\n`);
}

function listed(lines: readonly string[]): readonly string[] {
  if (lines.length <= MOST_LINES) return lines;
  return [...lines.slice(0, MOST_LINES), `  … and ${lines.length - MOST_LINES} more`];
}

function judgedText({ object, result }: Judgement): string {
  const operation = object.operation === undefined ? '' : ` (${object.operation})`;
  return `${result.policy.name} for ${object.address}${operation}`;
}
