import type { Range } from '@terrane/hcl';
import type { EnforcementLevel } from '../language/model.ts';
import type { Judgement, PolicyReport } from '../run/model.ts';
import type { PolicyOutcome } from '../evaluate/result.ts';

/** Returns a report as SARIF 2.1.0, which code hosts show beside the lines of the configuration. */
export function policyReportSarif(report: PolicyReport, version: string): string {
  const rules = new Map<string, unknown>();
  for (const { result } of report.judgements) {
    const { policy, level } = result;
    rules.set(policy.address, {
      id: policy.address,
      name: policy.name,
      shortDescription: { text: `${policy.address} (${level})` },
      defaultConfiguration: { level: sarifLevel('fail', level, false) },
    });
  }
  for (const { checker } of report.checkers) {
    rules.set(checkerId(checker.name), {
      id: checkerId(checker.name),
      name: checker.name,
      shortDescription: { text: `External checker ${checker.name} (${checker.level})` },
      defaultConfiguration: { level: sarifLevel('fail', checker.level, false) },
    });
  }
  const document = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'terrane policy',
            version,
            rules: [...rules.values()],
          },
        },
        results: [
          ...report.judgements.flatMap((each) => judgementResults(each)),
          ...report.checkers.flatMap(({ checker, outcome, messages, override }) =>
            outcome === 'pass'
              ? []
              : messages.map((text) => ({
                  ruleId: checkerId(checker.name),
                  level: sarifLevel(outcome, checker.level, override !== undefined),
                  message: { text },
                })),
          ),
        ],
      },
    ],
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

function checkerId(name: string): string {
  return `checker.${name}`;
}

function judgementResults({ object, result, override }: Judgement): readonly unknown[] {
  const { policy, level, outcome, enforcements, diagnostics } = result;
  if (outcome === 'pass') return [];
  const texts =
    outcome === 'unknown'
      ? ['Not decided by the plan: values that the policy needs are not known yet.']
      : outcome === 'error'
        ? diagnostics.map(({ summary, detail }) => `${summary}: ${detail}`)
        : enforcements
            .filter((each) => each.outcome === 'fail')
            .map(({ message }) => message ?? 'The condition of the policy is false.');
  const operation = object.operation === undefined ? '' : ` (${object.operation})`;
  return [
    {
      ruleId: policy.address,
      kind: outcome === 'unknown' ? 'open' : 'fail',
      level: outcome === 'unknown' ? 'none' : sarifLevel(outcome, level, override !== undefined),
      message: { text: `${object.address}${operation}: ${texts.join(' ')}` },
      locations: [
        {
          ...(object.range === undefined ? {} : { physicalLocation: physical(object.range) }),
          logicalLocations: [{ fullyQualifiedName: object.address }],
        },
      ],
      relatedLocations: [
        { physicalLocation: physical(policy.range), message: { text: policy.address } },
      ],
      partialFingerprints: {
        policyObject: `${policy.address}|${object.address}|${object.operation ?? ''}`,
      },
      ...(override === undefined
        ? {}
        : {
            suppressions: [
              { kind: 'external', status: 'accepted', justification: override.reason },
            ],
          }),
    },
  ];
}

function sarifLevel(
  outcome: PolicyOutcome,
  level: EnforcementLevel,
  isOverridden: boolean,
): 'error' | 'warning' | 'note' {
  if (outcome === 'unknown') return 'note';
  return level === 'advisory' || isOverridden ? 'warning' : 'error';
}

function physical(range: Range): unknown {
  const { from, to } = range;
  return {
    artifactLocation: { uri: range.filename.replaceAll('\\', '/') },
    region: {
      startLine: from.line,
      startColumn: from.column,
      endLine: to.line,
      endColumn: to.column,
    },
  };
}
