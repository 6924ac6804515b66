import { nullOf, number } from '@terrane/cty';
import { expect, it } from 'vitest';
import { withAttributes } from '../plan/fixtures/sample-project.ts';
import { driftCause, driftedAt } from './drift.ts';
import { addressOf, explainerOf, SampleProject } from './fixtures/sample-explainer.ts';

const ADDRESS = addressOf('test_thing.a');
const TEXT = 'resource "test_thing" "a" {\n  name = "a"\n}\n';

/** Plans with an object whose size has changed outside, or that is gone. */
async function drifted(outside: 'changed' | 'deleted') {
  const project = new SampleProject(TEXT).store({
    'test_thing.a': { id: 'i', name: 'a', size: 1 },
  });
  project.overrides = {
    readResource: ({ prior }) => ({
      state:
        outside === 'changed' ? withAttributes(prior, { size: number(2) }) : nullOf(prior.type),
    }),
  };
  return (await explainerOf(project, { refresh: true })).facts;
}

it('drift at a path has the values before and after', async () => {
  const facts = await drifted('changed');
  const [cause] = driftedAt(facts, ADDRESS, [{ kind: 'attr', name: 'size' }]);
  expect(cause).toMatchObject({ kind: 'drift', address: 'test_thing.a', present: true });
  expect(cause?.before?.asInt()).toBe(1);
  expect(cause?.after?.asInt()).toBe(2);
});

it('a path that has not changed has none', async () => {
  const facts = await drifted('changed');
  expect(driftedAt(facts, ADDRESS, [{ kind: 'attr', name: 'name' }])).toEqual([]);
  expect(driftedAt(facts, addressOf('test_thing.b'), [])).toEqual([]);
});

it('a deleted object is drift of the complete object, without values', async () => {
  const facts = await drifted('deleted');
  expect(driftedAt(facts, ADDRESS, [{ kind: 'attr', name: 'size' }])).toEqual([]);
  const drift = facts.drift.get(ADDRESS);
  if (drift === undefined) throw new Error('no drift');
  expect(driftCause(facts, drift, [])).toEqual({
    kind: 'drift',
    address: 'test_thing.a',
    present: false,
    causes: [],
  });
});
