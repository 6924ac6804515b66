// A sample of what `npm run test:crash` does: every tenth of the places where a run can go wrong.
import { expect, it } from 'vitest';
import { enumerate } from './enumerate.ts';
import { WORKLOADS } from './workloads.ts';

it.each(WORKLOADS)(
  'what goes wrong while it is to $name loses no object, makes none twice and is set right by the next runs',
  async (workload) => {
    const { faults, recoveries, problems } = await enumerate(workload, 10);
    expect(problems).toEqual([]);
    expect(faults).toBeGreaterThan(20);
    expect(recoveries).toBeGreaterThan(20);
  },
  120_000,
);
