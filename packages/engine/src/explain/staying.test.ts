import { number, str } from '@terrane/cty';
import { expect, it } from 'vitest';
import { type Attributes, withAttributes } from '../plan/fixtures/sample-project.ts';
import { addressOf, explainerOf, outline, SampleProject } from './fixtures/sample-explainer.ts';
import { whyItStays } from './staying.ts';
import { subjectOf } from './subject.ts';

const thing = (lines: string): string => `resource "test_thing" "a" {\n  ${lines}\n}\n`;
const STORED: Attributes = { id: 'i', name: 'a', size: 1 };

/** Explains why `test_thing.a` stays, after `change` of the project. */
async function explained(
  text: string,
  stored: Attributes = STORED,
  prepare: (project: SampleProject) => void = () => undefined,
) {
  const project = new SampleProject(text).store({ 'test_thing.a': stored });
  prepare(project);
  const { facts, worlds } = await explainerOf(project, { refresh: true });
  const change = facts.changes.get(addressOf('test_thing.a'));
  const subject = change && subjectOf(facts, worlds, change);
  if (subject === undefined) throw new Error('no subject');
  return whyItStays(facts, worlds, subject);
}

it('an object like its configuration stays because it is equal', async () => {
  expect(outline(await explained(thing('name = "a"')))).toBe('equal test_thing.a');
});

it('a difference in ignore_changes names the entry', async () => {
  const text = thing('name = "new"\n  lifecycle {\n    ignore_changes = [name]\n  }');
  const [cause, ...others] = await explained(text);
  expect(others).toEqual([]);
  expect(outline(cause === undefined ? [] : [cause])).toBe('ignored test_thing.a.name');
  expect(cause?.range?.text()).toBe('name');
  expect(cause?.before?.asString()).toBe('a');
  expect(cause?.after?.asString()).toBe('new');
});

it('ignore_changes = all names the resource', async () => {
  const [cause] = await explained(
    thing('name = "new"\n  lifecycle {\n    ignore_changes = all\n  }'),
  );
  expect(cause?.kind).toBe('ignored');
  expect(cause?.range?.text()).toMatch(/^resource "test_thing" "a"/);
});

it('a value that the provider takes for the configured one is normalised', async () => {
  const causes = await explained(thing('name = "A"'), STORED, (project) => {
    project.overrides = {
      planResourceChange: ({ proposed }) => ({
        planned: withAttributes(proposed, { name: str('a') }),
        requiresReplace: [],
      }),
    };
  });
  expect(outline(causes)).toBe('normalised test_thing.a.name');
});

it('drift of an attribute that is not configured is reported', async () => {
  const causes = await explained(thing('name = "a"'), STORED, (project) => {
    project.overrides = {
      readResource: ({ prior }) => ({ state: withAttributes(prior, { size: number(2) }) }),
    };
  });
  expect(outline(causes)).toBe('drift test_thing.a.size');
});

it('a sensitive attribute hides its values', async () => {
  const text = thing(
    'name = "a"\n  secret = "new"\n  lifecycle {\n    ignore_changes = [secret]\n  }',
  );
  const [cause] = await explained(text, { ...STORED, secret: 'old' });
  expect(cause?.attribute).toEqual([{ kind: 'attr', name: 'secret' }]);
  expect(cause?.before?.isMarked).toBe(true);
  expect(cause?.after?.isMarked).toBe(true);
});
