import type { Judgement, PolicyReport } from '../run/model.ts';
import type { PolicyOutcome } from '../evaluate/result.ts';

/** Counts of results by outcome. Overridden results are counted only in `overridden`. */
export interface PolicyCounts {
  readonly passed: number;
  readonly failed: number;
  readonly undecided: number;
  readonly errors: number;
  readonly overridden: number;
}

/** Counts the results of a report. */
export function policyCounts({ judgements, checkers }: PolicyReport): PolicyCounts {
  const all = [
    ...judgements.map(({ result, override }) => ({ outcome: result.outcome, override })),
    ...checkers,
  ];
  const count = (outcome: PolicyOutcome): number =>
    all.filter((each) => each.outcome === outcome && each.override === undefined).length;
  return {
    passed: count('pass'),
    failed: count('fail'),
    undecided: count('unknown'),
    errors: count('error'),
    overridden: all.filter(({ override }) => override !== undefined).length,
  };
}

/** Returns a report as JSON: the member `policy_results` of the JSON form of a plan. */
export function policyReportJson(report: PolicyReport): string {
  return JSON.stringify({
    format_version: '1.0',
    digest: report.digest,
    summary: { policies: report.policies, files: report.files, ...policyCounts(report) },
    results: report.judgements.map(judgementJson),
    checkers: report.checkers.map(({ checker, outcome, messages, override }) => ({
      name: checker.name,
      enforcement_level: checker.level,
      result: outcome,
      messages,
      ...(override === undefined ? {} : { override }),
    })),
  });
}

function judgementJson({ object, result, moment, override }: Judgement): unknown {
  const { policy, level, outcome, enforcements, diagnostics } = result;
  return {
    policy: policy.address,
    policy_name: policy.name,
    policy_file: policy.range.filename,
    policy_line: policy.range.from.line,
    enforcement_level: level,
    target_address: object.address,
    ...(object.operation === undefined ? {} : { operation: object.operation }),
    result: outcome,
    decided: moment.replaceAll('-', '_'),
    enforcements: enforcements.map(({ enforcement, outcome: each, message }) => ({
      index: enforcement.index,
      line: enforcement.range.from.line,
      result: each,
      ...(message === undefined ? {} : { message }),
    })),
    ...(diagnostics.length === 0
      ? {}
      : { errors: diagnostics.map(({ summary, detail }) => ({ summary, detail })) }),
    ...(override === undefined ? {} : { override }),
  };
}
