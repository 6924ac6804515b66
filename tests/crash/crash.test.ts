// A sample of what `npm run test:crash` does: every tenth of the places where a run can go wrong.
import { expect, it } from 'vitest';
import { encrypted } from './encrypted.ts';
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
);

const [CREATE, REPLACE] = WORKLOADS;
if (CREATE === undefined || REPLACE === undefined) throw new Error('there are workloads');

it.each([
  { workload: encrypted(CREATE, 'pbkdf2'), every: 70, least: 3 },
  ...WORKLOADS.map((each) => ({ workload: encrypted(each, 'static'), every: 30, least: 5 })),
  { workload: encrypted(REPLACE, 'static', 'unencrypted'), every: 40, least: 5 },
  { workload: encrypted(REPLACE, 'static', 'another key'), every: 40, least: 5 },
])(
  'the same holds of $workload.name, and nothing secret can be read of what is left',
  async ({ workload, every, least }) => {
    const { faults, recoveries, problems } = await enumerate(workload, every);
    expect(problems).toEqual([]);
    expect(faults).toBeGreaterThan(least);
    expect(recoveries).toBeGreaterThan(least);
  },
);
