// The work of the commands of the benchmark table, compared with what was recorded. It catches what times on a busy
// machine cannot: one more pass over the syntax tree, a provider asked twice, a library loaded at start-up.
import { describe, expect, it } from 'vitest';
import { COUNTED, countWork, differingCounts } from './count-work.ts';
import { DOUBLED, readRecordedCounts, WORKLOADS } from './workloads.ts';

const recorded = readRecordedCounts();

describe('the work of a command', () => {
  it.each(WORKLOADS.map((workload) => [workload.name, workload] as const))(
    'is as recorded: %s (npm run count:work records it again)',
    (name, workload) => {
      expect(differingCounts(recorded[name] ?? {}, countWork(workload))).toEqual([]);
    },
  );

  it.each(
    DOUBLED.filter(({ name }) => ['blocks', 'modules', 'count', 'destroy'].includes(name)).map(
      (workload) => [workload.name, workload] as const,
    ),
  )('at most doubles when the size does: %s', (name, workload) => {
    const calls = 'function calls';
    expect(countWork(workload)[calls]).toBeLessThan(2.02 * (recorded[name]?.[calls] ?? 0));
  });
});

describe('the recorded counts', () => {
  it.each(COUNTED)('have a workload with %s', (kind) => {
    expect(Object.values(recorded).some((counts) => (counts[kind] ?? 0) > 0)).toBe(true);
  });

  it('are of the workloads of the table', () => {
    expect(Object.keys(recorded)).toEqual(WORKLOADS.map(({ name }) => name));
  });
});

describe('the comparison', () => {
  it('names increased, reduced, new and removed counts', () => {
    const before = { 'state files parsed': 1, 'bodies parsed': 10, 'journal events': 3 };
    const now = { 'state files parsed': 2, 'bodies parsed': 9, 'modules loaded': 1 };
    expect(differingCounts(before, now)).toEqual([
      'state files parsed: 2, recorded 1',
      'bodies parsed: 9, recorded 10',
      'journal events: 0, recorded 3',
      'modules loaded: 1, recorded 0',
    ]);
  });

  it('lets sums vary by 3 %', () => {
    expect(differingCounts({ 'function calls': 1000 }, { 'function calls': 1030 })).toEqual([]);
    expect(differingCounts({ 'function calls': 1000 }, { 'function calls': 1031 })).toHaveLength(1);
    expect(differingCounts({ 'function calls': 1000 }, { 'function calls': 969 })).toHaveLength(1);
  });
});
