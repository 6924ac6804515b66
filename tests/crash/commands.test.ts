// A sample of what `npm run test:crash` does: every twelfth of the places where a command can go wrong.
import { expect, it } from 'vitest';
import { COMMAND_CASES } from './command-cases.ts';
import { enumerateCommand } from './enumerate-commands.ts';

it.each(COMMAND_CASES)(
  'what goes wrong in `$command` leaves each state as it was or as it should be, and the next command works',
  async (case_) => {
    const { faults, problems } = await enumerateCommand(case_, 12);
    expect(problems).toEqual([]);
    expect(faults).toBeGreaterThan(0);
  },
);

it.each(COMMAND_CASES)('the same holds of `$command` where states are encrypted', async (case_) => {
  const { faults, problems } = await enumerateCommand(case_, 24, true);
  expect(problems).toEqual([]);
  expect(faults).toBeGreaterThan(0);
});
