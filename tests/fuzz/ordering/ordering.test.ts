import { EMPTY_STATE } from '@terrane/engine';
import { expect, test } from 'vitest';
import { TestProject } from '../../engine/harness.ts';
import { attempt } from '../attempt.ts';
import { EMPTY_MODEL, filesOf, type Model } from './random-configurations.ts';
import { outcomeProblems, referenceOutcome } from './reference-model.ts';

test('a first sample of configurations is applied in order, with the result of the reference', async () => {
  for (let seed = 1; seed <= 10; seed++) {
    expect(await attempt(seed, ['ordering'])).toStrictEqual({
      target: 'ordering',
      fault: undefined,
    });
  }
});

test('a result that differs from the reference is an error', async () => {
  const [thing] = EMPTY_MODEL.things;
  if (thing === undefined) throw new Error('no slot');
  const model = (size: number): Model => ({
    ...EMPTY_MODEL,
    things: [{ ...thing, present: true, size }, ...EMPTY_MODEL.things.slice(1)],
  });
  const project = new TestProject();
  project.write(filesOf(model(1)));
  await project.apply();
  const outcome = referenceOutcome(EMPTY_STATE, model(2));
  expect(outcome.creates).toEqual(['test_thing.s0']);
  expect(outcomeProblems(outcome, EMPTY_STATE, project.state)).toEqual([
    'test_thing.s0.size is 1, not 2',
  ]);
  const nothing = referenceOutcome(project.state, EMPTY_MODEL);
  expect(nothing.deletes).toEqual(['id-1']);
  expect(outcomeProblems(nothing, project.state, project.state)).toEqual([
    'test_thing.s0 should not be there',
  ]);
});
