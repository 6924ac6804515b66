// The life of objects under Terrane, in this process, beside what terraform made of the same: plans, states, messages,
// what the provider is asked, and in which order.
import { describe, expect, it } from 'vitest';
import { compareRun } from './compare-runs.ts';
import { lifecycleCases } from './read-cases.ts';
import { runInProcess } from './run-cases.ts';

describe.concurrent('Terrane lives as terraform does', () => {
  it.each(lifecycleCases().map((each) => [each.name, each] as const))('%s', async (_, testCase) => {
    expect(compareRun(testCase, await runInProcess(testCase))).toBe('');
  });
});
