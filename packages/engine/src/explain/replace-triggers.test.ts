import { expect, it } from 'vitest';
import { addressOf, explainerOf, SampleProject } from './fixtures/sample-explainer.ts';
import { triggersBehind } from './replace-triggers.ts';

const OLD = { id: 'i', name: 'old', size: 1 };

/** Returns address, attribute and reference of each trigger of `test_thing.a`. */
async function triggers(references: string, extra = '') {
  const text = `
resource "test_thing" "a" {
  name = "a"
  lifecycle {
    replace_triggered_by = [${references}]
  }
}
resource "test_thing" "b" {
  name = "new"
}
resource "test_thing" "c" {
  name = "old"
}
${extra}`;
  const project = new SampleProject(text).store({
    'test_thing.a': { ...OLD, name: 'a' },
    'test_thing.b': OLD,
    'test_thing.c': OLD,
  });
  const { facts, worlds } = await explainerOf(project);
  const address = addressOf('test_thing.a');
  const resource = facts.resource(address);
  if (resource === undefined) throw new Error('no resource');
  return triggersBehind(facts, worlds, address, resource).map(({ range, change, attribute }) => [
    change.addr.text,
    attribute.map((step) => (step.kind === 'attr' ? step.name : '[]')).join('.'),
    range.text(),
  ]);
}

it('a changed object triggers with its complete content', async () => {
  expect(await triggers('test_thing.b')).toEqual([['test_thing.b', '', 'test_thing.b']]);
});

it('a changed attribute triggers with its path', async () => {
  expect(await triggers('test_thing.b.name')).toEqual([
    ['test_thing.b', 'name', 'test_thing.b.name'],
  ]);
});

it('unchanged objects and attributes trigger nothing', async () => {
  expect(await triggers('test_thing.c, test_thing.b.kind')).toEqual([]);
});

it('only the references to changed objects are returned', async () => {
  expect(await triggers('test_thing.c, test_thing.b')).toEqual([
    ['test_thing.b', '', 'test_thing.b'],
  ]);
});
