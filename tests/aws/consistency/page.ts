// Renders the documentation page of the consistency rules.
import { durationText } from '@terrane/provider/sdk';
import { operationLabel, type Rule, type ServiceRules, type Source } from './rules.ts';

const HEAD = `# Retries and waits of the AWS provider

For every resource type of [Terrane's AWS provider](aws.md): which errors it retries, what it waits for, and for how long. The last column states what the published provider \`hashicorp/aws\` does instead, with the reason for the difference; it is empty where both do the same.

The page is generated from the data of the tests:

\`\`\`sh
npx vitest run tests/aws/consistency                    # exercises every row with a proxy that injects the errors and states
npx vitest run tests/aws/consistency/page.test.ts -u    # updates this page
\`\`\`

## Rules for all resource types

- The client retries a request on throttling, HTTP status 429 or 5xx and certain network errors, up to \`max_retries\` times. The tables list what is retried in addition.
- After a creation, the object is read until it is found, for up to 2 minutes.
- An error that is still returned at the limit is reported with the operation and the object. If no attempt was answered before the limit, there is one last attempt.
- A state that is neither pending nor the target ends a wait at once. The error contains the reason that the service gives.
- An argument of the \`timeouts\` block limits the complete operation, including every wait and retry in it. Without the argument, each wait has the limit in the table.
- Waits poll with a back-off from 200 ms to 10 s. "Delay" is the time before the first poll, "interval" the shortest time between two polls.
- "Matches" is how many polls in a row must show the target. A poll that shows a pending state starts the count again.
`;

/** The text of docs/aws-consistency.md. */
export function consistencyPage(services: readonly ServiceRules[]): string {
  const sorted = services.toSorted((a, b) => a.service.localeCompare(b.service));
  const sections = sorted.map(({ service, types }) => {
    const rows = types
      .toSorted(byType)
      .flatMap(({ type, rules, note = '' }) => [
        ...rules.map((rule) => ruleRow(type, rule)),
        ...(rules.length === 0 || note !== ''
          ? [row(`\`${type}\``, '', note, '', '', '', '')]
          : []),
      ]);
    return `## ${service}

| type | operation | behaviour | matches | delay, interval | limit | published provider |
|---|---|---|---|---|---|---|
${rows.join('\n')}
`;
  });
  return `${HEAD}
${sections.join('\n')}
## Sources

Files of [hashicorp/terraform-provider-aws](https://github.com/hashicorp/terraform-provider-aws) in \`internal/service\`, at the commits, or of the major releases, that were compared:

${sourceList(sorted)}
`;
}

function byType(a: { readonly type: string }, b: { readonly type: string }): number {
  return a.type.localeCompare(b.type);
}

function ruleRow(type: string, rule: Rule): string {
  const wait = rule.kind === 'wait' ? rule : undefined;
  const { delay = 0, interval = 0, matches = 1 } = wait ?? {};
  const pace = [
    ...(delay > 0 ? [durationText(delay)] : interval > 0 ? ['–'] : []),
    ...(interval > 0 ? [durationText(interval)] : []),
  ];
  return row(
    `\`${type}\``,
    `${rule.step}: \`${operationLabel(rule)}\``,
    behaviour(rule),
    matches > 1 ? String(matches) : '',
    pace.join(', '),
    rule.kind === 'ignore' ? '' : durationText(rule.limit),
    rule.difference ?? '',
  );
}

function behaviour(rule: Rule): string {
  if (rule.kind === 'wait') {
    const target = rule.target.length === 0 ? 'it is deleted' : quoted(rule.target);
    const from = rule.pending.length === 0 ? '' : ` while ${quoted(rule.pending)}`;
    const missing = rule.missing === undefined ? '' : `; \`${rule.missing.code}\`: not yet visible`;
    const { state, reason } = rule.unexpected ?? {};
    const failing =
      state === undefined
        ? ''
        : `; \`${state}\` fails${reason === undefined ? '' : ' with its reason'}`;
    return `waits until ${target}${from}${missing}${failing}`;
  }
  const errors = rule.errors.map((failure) => {
    const { code, message } = failure;
    const any = rule.kind === 'ignore' || Reflect.get(failure, 'anyMessage') === true;
    return any ? `\`${code}\`` : `\`${code}\` "${message}"`;
  });
  const unique = [...new Set(errors)].join('; ');
  return rule.kind === 'retry' ? `retries ${unique}` : `treats ${unique} as success`;
}

function quoted(states: readonly string[]): string {
  return states.map((state) => `\`${state}\``).join(', ');
}

function row(...cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`;
}

function sourceList(services: readonly ServiceRules[]): string {
  const sources = services.flatMap(({ types }) => types.flatMap((type) => type.sources));
  const lines = sources.map(
    ({ file, commit, release }: Source) =>
      `- \`${file}\` ${commit === undefined ? `of release ${String(release)}` : `at \`${commit.slice(0, 12)}\``}`,
  );
  return [...new Set(lines)].toSorted().join('\n');
}
