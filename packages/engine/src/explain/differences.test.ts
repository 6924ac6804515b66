import { number } from '@terrane/cty';
import { describe, expect, it } from 'vitest';
import { type Attributes, withAttributes } from '../plan/fixtures/sample-project.ts';
import { Differences } from './differences.ts';
import { addressOf, explainerOf, outline, SampleProject } from './fixtures/sample-explainer.ts';
import { subjectOf } from './subject.ts';

const OLD: Attributes = { id: 'i', name: 'a', size: 1 };
const thing = (lines: string, name = 'a'): string =>
  `resource "test_thing" "${name}" {\n  ${lines}\n}\n`;

/** Explains the difference of an attribute of `test_thing.a`. */
async function difference(
  attribute: string,
  text: string,
  stored: Readonly<Record<string, Attributes>> = { 'test_thing.a': OLD },
  prepare: (project: SampleProject) => void = () => undefined,
) {
  const project = new SampleProject(text).store(stored);
  prepare(project);
  const { facts, worlds, tracer } = await explainerOf(project, { refresh: true });
  const change = facts.changes.get(addressOf('test_thing.a'));
  const subject = change && subjectOf(facts, worlds, change);
  if (subject === undefined) throw new Error('no subject');
  const path = [{ kind: 'attr', name: attribute }] as const;
  return new Differences(facts, worlds, tracer()).causeOf(subject, path);
}

const outlined = async (...question: Parameters<typeof difference>): Promise<string> => {
  const cause = await difference(...question);
  return cause === undefined ? 'by the provider' : outline([cause]);
};

describe('the cause of a difference', () => {
  it('is the text of an argument', async () => {
    expect(await outlined('name', thing('name = "b"'))).toBe(
      'attribute test_thing.a.name < source "b"',
    );
  });

  it('leads through local values', async () => {
    expect(await outlined('name', `locals {\n  n = "b"\n}\n${thing('name = local.n')}`)).toBe(
      'attribute test_thing.a.name < local local.n < source "b"',
    );
  });

  it('is the change of another resource', async () => {
    const text = thing('name = test_thing.b.name') + thing('name = "b"', 'b');
    const stored = { 'test_thing.a': OLD, 'test_thing.b': { ...OLD, name: 'a' } };
    expect(await outlined('name', text, stored)).toBe(
      'attribute test_thing.a.name < resource test_thing.b.name < attribute test_thing.b.name < source "b"',
    );
  });

  it('is a removed argument, unless the provider computes the attribute', async () => {
    const stored = { 'test_thing.a': { ...OLD, kind: 'k' } };
    expect(await outlined('kind', thing('name = "a"'), stored)).toBe(
      'argument-removed test_thing.a.kind',
    );
    expect(await outlined('size', thing('name = "a"'))).toBe('by the provider');
  });

  it('is drift, beside which the text of the configuration does not count', async () => {
    const isDrift = (project: SampleProject): void => {
      project.overrides = {
        readResource: ({ prior }) => ({ state: withAttributes(prior, { size: number(2) }) }),
      };
    };
    const text = thing('name = "a"\n  size = 1');
    expect(await outlined('size', text, { 'test_thing.a': OLD }, isDrift)).toBe(
      'attribute test_thing.a.size < drift test_thing.a.size',
    );
  });

  it('is in a nested block, through the values that it uses', async () => {
    const text =
      thing('name = "a"\n  disk {\n    size = test_thing.b.size\n  }') +
      thing('name = "b"\n  size = 2', 'b');
    const stored = {
      'test_thing.a': { ...OLD, disk: [{ size: 1 }] },
      'test_thing.b': { ...OLD, name: 'b' },
    };
    expect(await outlined('disk', text, stored)).toBe(
      'block test_thing.a.disk < resource test_thing.b.size < attribute test_thing.b.size < source 2',
    );
  });

  it('is a removed block', async () => {
    const stored = { 'test_thing.a': { ...OLD, disk: [{ size: 1 }] } };
    expect(await outlined('disk', thing('name = "a"'), stored)).toBe('block test_thing.a.disk');
  });

  it('hides the values of a sensitive attribute', async () => {
    const stored = { 'test_thing.a': { ...OLD, secret: 'old' } };
    const cause = await difference('secret', thing('name = "a"\n  secret = "new"'), stored);
    expect([cause?.before?.isMarked, cause?.after?.isMarked]).toEqual([true, true]);
  });
});
