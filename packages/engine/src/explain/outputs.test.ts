import { str } from '@terrane/cty';
import { describe, expect, it } from 'vitest';
import { StateDraft } from '../state/draft.ts';
import { explainerOf, outline, SampleProject } from './fixtures/sample-explainer.ts';
import { explainOutput } from './outputs.ts';
import type { SampleOptions } from '../plan/fixtures/sample-project.ts';

/** Explains the output `o`, whose stored value is `old`. */
async function explained(text: string, options: SampleOptions = {}, stored = true) {
  const project = new SampleProject(text);
  if (stored) {
    const draft = new StateDraft(project.state);
    draft.apply({ kind: 'outputs', values: new Map([['o', str('old')]]) });
    project.state = draft.freeze();
  }
  const { facts, reasons } = await explainerOf(project, options);
  const change = facts.plan.outputs.find(({ name }) => name === 'o');
  if (change === undefined) throw new Error('no output o');
  return explainOutput(facts, reasons, change);
}

const output = (lines: string): string => `output "o" {\n  ${lines}\n}\n`;

describe('the causes of a root output', () => {
  it.each([
    ['a new output', output('value = "new"'), {}, false, 'new-output output.o'],
    ['a changed text', output('value = "new"'), {}, true, 'source "new"'],
    ['an unchanged value', output('value = "old"'), {}, true, 'equal output.o'],
    ['a removed block', '', {}, true, 'no-block output.o'],
    [
      'the destroy mode',
      output('value = "old"'),
      { mode: 'destroy' as const },
      true,
      'destroy-mode output.o',
    ],
    [
      'sensitivity alone',
      output('value = "old"\n  sensitive = true'),
      {},
      true,
      'sensitivity output.o',
    ],
  ])('are explained for %s', async (_name, text, options, stored, expected) => {
    expect(outline((await explained(text, options, stored)).causes)).toBe(expected);
  });

  it('include a change of sensitivity beside that of the value', async () => {
    const { causes } = await explained(output('value = "new"\n  sensitive = true'));
    expect(outline(causes)).toBe('source "new", sensitivity output.o');
  });

  it('are hidden if the output is sensitive', async () => {
    const [cause] = (await explained(output('value = "new"\n  sensitive = true'))).causes;
    expect(cause?.before?.isMarked).toBe(true);
    expect(cause?.after?.isMarked).toBe(true);
  });

  it('include those of unknown parts', async () => {
    const { unknown } = await explained(
      `resource "test_thing" "a" {\n  name = "a"\n}\n${output('value = { id = test_thing.a.id, fixed = "x" }')}`,
    );
    expect(unknown.map(({ causes }) => outline(causes))).toEqual([
      'resource test_thing.a.id < computed test_thing.a.id',
    ]);
  });
});
