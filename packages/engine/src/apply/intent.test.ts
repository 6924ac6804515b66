import { describe, expect, it } from 'vitest';
import { addressOf, openSample, SampleProject, storedThing } from './fixtures/sample-run.ts';
import { intentOf } from './intent.ts';
import { targetOf } from './target.ts';

const A = addressOf('test_thing.a');

/** The intent to create or update `test_thing.a`, whose configuration has these lines. */
async function intentFor(
  lines: string,
  identity: Parameters<typeof storedThing>[1] = {},
  stored = { id: 'i', name: 'old' },
) {
  const project = new SampleProject(
    `resource "test_thing" "b" {\n  name = "b"\n}\nresource "test_thing" "a" {\n  ${lines}\n}\n`,
  ).store({ 'test_thing.a': stored }, identity);
  const { run, evaluate } = await openSample(project);
  await evaluate('test_thing.a');
  const target = await targetOf(run, A, []);
  const change = run.changes.get(A);
  if (target === undefined || change === undefined) throw new Error('no change');
  // A replacement has the marks of the configuration only.
  const { value: after } = change.after.unmarkDeep();
  return intentOf(run, 3, 'update', target, { ...change, after }, storedThing(stored, identity));
}

describe('the intent of a change', () => {
  it('has the planned object, with null for unknown values', async () => {
    expect(await intentFor('name = "new"\n  kind = test_thing.b.id')).toMatchObject({
      kind: 'intent',
      step: 3,
      action: 'update',
      addr: A,
      planned: {
        status: 'ready',
        attributesJson: expect.stringMatching(/"kind":null.*"name":"new"/),
        dependencies: ['test_thing.b'],
        createBeforeDestroy: false,
      },
      at: '2024-01-02T03:04:05.000Z',
    });
  });

  it('marks values that the schema declares sensitive', async () => {
    expect(await intentFor('name = "new"\n  secret = "s"')).toMatchObject({
      planned: { sensitivePaths: [[{ kind: 'attr', name: 'secret' }]] },
    });
  });

  it.each([
    [
      'both',
      { identityJson: '{"id":"i"}', identitySchemaVersion: 2 },
      { schemaVersion: 2, json: '{"id":"i"}' },
    ],
    ['no version', { identityJson: '{"id":"i"}' }, undefined],
    ['nothing', {}, undefined],
  ])(
    'has the identity of the stored object if that has a version: %s',
    async (_name, more, prior) => {
      const intent = await intentFor('name = "new"', more);
      expect(intent.kind === 'intent' ? intent.prior : 'another event').toEqual(prior);
    },
  );
});
