// A sample of what `npm run fuzz:undo` does: random histories whose last or an earlier run is undone.
import { expect, it } from 'vitest';
import {
  enumerateReplacementUndo,
  enumerateUndo,
  type HistoryOutcome,
  undoRandomHistory,
} from './undo-histories.ts';

const SAMPLE = 60;

async function outcomes(first: number, kills: boolean): Promise<readonly HistoryOutcome[]> {
  const all: HistoryOutcome[] = [];
  for (let seed = first; seed < first + SAMPLE; seed++)
    all.push(await undoRandomHistory(seed, kills));
  return all;
}

it('an undo restores the world if its plan reports only reversible actions', async () => {
  const all = await outcomes(1, false);
  expect(all.flatMap(({ problems }) => problems)).toEqual([]);
  const exact = all.filter(({ isExact, actions }) => isExact && actions.reversible > 0);
  expect(exact.length).toBeGreaterThan(SAMPLE / 10);
  expect(all.filter(({ actions }) => actions.lossy > 0).length).toBeGreaterThan(SAMPLE / 10);
});

it('the same holds if the apply or the undo is killed at any moment', async () => {
  const all = await outcomes(100_001, true);
  expect(all.flatMap(({ problems }) => problems)).toEqual([]);
  expect(all.filter(({ killedApply }) => killedApply).length).toBeGreaterThan(SAMPLE / 10);
  expect(all.filter(({ killedUndo }) => killedUndo).length).toBeGreaterThan(SAMPLE / 10);
});

it('an apply or an undo that ends at any moment can be undone, and the history stays readable', async () => {
  const { ends, problems } = await enumerateUndo(6);
  expect(problems).toEqual([]);
  expect(ends).toBeGreaterThan(15);
});

it('a deposed object that has the planned identity is not taken for the result of an interrupted creation', async () => {
  // The identity of crash_keyed.b consists of arguments, and the object that the killed apply replaces has the same.
  expect((await undoRandomHistory(1795, true)).problems).toEqual([]);
});

it.each(['named', 'keyed'] as const)(
  'a replacement that ends at any moment before the former object is deleted is undone exactly: %s',
  async (type) => {
    const { ends, problems } = await enumerateReplacementUndo(type);
    expect(problems).toEqual([]);
    expect(ends).toBeGreaterThan(10);
  },
);
