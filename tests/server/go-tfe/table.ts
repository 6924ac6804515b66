// The published result of go-tfe's tests: a table with a row for each group.
import type { GoTfeRun, GoTfeTest } from './go-tfe.ts';

const counted = (tests: readonly GoTfeTest[], result: GoTfeTest['result']): number =>
  tests.filter((test) => test.result === result).length;

/** Returns the result as Markdown: totals, a row for each group, and the names of tests that do not pass. */
export function tableOf({ version, tests }: GoTfeRun): string {
  const groups = [...new Set(tests.map(({ group }) => group))];
  const rows = groups.map((group) => {
    const own = tests.filter((test) => test.group === group);
    const sum = (name: 'pass' | 'fail' | 'skip'): number =>
      own.reduce((total, { subtests }) => total + subtests[name], 0);
    const failed = own.filter(({ result }) => result !== 'pass' && result !== 'skip');
    return `| \`${group}\` | ${counted(own, 'pass')} | ${failed.length} | ${counted(own, 'skip')} | ${sum('pass')} / ${sum('fail')} / ${sum('skip')} | ${failed.map(({ name }) => `\`${name}\``).join(', ')} |`;
  });
  const all = tests.length;
  return [
    `### go-tfe v${version}`,
    '',
    `${counted(tests, 'pass')} of ${all} test functions pass, ${counted(tests, 'skip')} skip themselves, and ${all - counted(tests, 'pass') - counted(tests, 'skip')} fail.`,
    '',
    '| group | pass | fail | skip | subtests: pass / fail / skip | failing tests |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}
