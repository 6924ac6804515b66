import type { Judgement, PolicyReport } from '../run/model.ts';
import type { PolicyOutcome } from '../evaluate/result.ts';

/** A message of the `-json` stream about policies. */
export interface PolicyStreamMessage {
  readonly text: string;
  readonly type: 'policy_info' | 'policy_result';
  readonly members: Readonly<Record<string, unknown>>;
}

const RESULTS: Readonly<Record<PolicyOutcome, string>> = {
  pass: 'AllowResult',
  fail: 'DenyResult',
  unknown: 'UnknownResult',
  error: 'PolicyErrorResult',
};

/** Returns the messages of a report, with the types and members of Terraform's. Failures also have diagnostics. */
export function policyStreamMessages(report: PolicyReport): readonly PolicyStreamMessage[] {
  return [
    ...report.judgements.flatMap((each) => judgementMessages(each)),
    ...report.checkers.map(({ checker, outcome, messages }): PolicyStreamMessage => ({
      text: 'Policy Result',
      type: 'policy_result',
      members: {
        '@policy': 'true',
        policy_address: `checker.${checker.name}`,
        policy_metadata: { policy_name: checker.name, enforcement_level: checker.level },
        result: RESULTS[outcome],
        target_address: '',
        messages,
      },
    })),
  ];
}

function judgementMessages({
  object,
  result,
  moment,
  override,
}: Judgement): readonly PolicyStreamMessage[] {
  const { policy, level, outcome, enforcements } = result;
  const { filename } = policy.range;
  const slash = filename.lastIndexOf('/');
  const metadata = {
    policy_set_path: slash < 0 ? '.' : filename.slice(0, slash),
    policy_name: policy.name,
    file_name: filename.slice(slash + 1),
    enforcement_level: level,
  };
  const infos = enforcements.flatMap((each): readonly PolicyStreamMessage[] => {
    if (each.outcome !== 'pass' || each.message === undefined) return [];
    const { range } = each.enforcement;
    const { from, to } = range;
    return [
      {
        text: 'Policy info',
        type: 'policy_info',
        members: {
          '@policy': 'true',
          policy_info: {
            message: each.message,
            policy_range: {
              filename: range.filename,
              start: { line: from.line, column: from.column, byte: range.start },
              end: { line: to.line, column: to.column, byte: range.end },
            },
          },
          policy_metadata: { ...metadata, enforce_index: each.enforcement.index },
          result: RESULTS[each.outcome],
          target_address: object.address,
        },
      },
    ];
  });
  return [
    ...infos,
    {
      text: 'Policy Result',
      type: 'policy_result',
      members: {
        '@policy': 'true',
        policy_address: policy.address,
        policy_metadata: metadata,
        result: RESULTS[outcome],
        target_address: object.address,
        ...(object.operation === undefined ? {} : { operation: object.operation }),
        decided: moment.replaceAll('-', '_'),
        ...(override === undefined ? {} : { override }),
      },
    },
  ];
}
