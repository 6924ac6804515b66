import { str } from '@terrane/cty';
import { expect, it } from 'vitest';
import { StateDraft } from '../state/draft.ts';
import { openSample, SampleProject } from './fixtures/sample-run.ts';
import { recordOutputs } from './record-outputs.ts';

const OUTPUT = (name: string, value: string): string =>
  `output "${name}" {\n  value = ${value}\n}\n`;

/** The outputs recorded after some outputs of a project were evaluated; the state has `old` and `gone`. */
async function recordedOutputs(text: string, evaluated: readonly string[]) {
  const project = new SampleProject(text);
  const draft = new StateDraft(project.state);
  draft.apply({
    kind: 'outputs',
    values: new Map([
      ['old', str('stored')],
      ['secret', str('stored').mark('sensitive')],
      ['gone', str('stored')],
    ]),
  });
  project.state = draft.freeze();
  const { run, recorded, evaluate } = await openSample(project);
  for (const name of evaluated) await evaluate(`output.${name}`);
  await recordOutputs(run);
  const [event] = recorded;
  if (event?.kind !== 'outputs') throw new Error('not outputs');
  return Object.fromEntries(
    [...event.values].map(([name, value]) => [
      name,
      `${value.unmark().asString()}${value.isMarked ? ' (sensitive)' : ''}`,
    ]),
  );
}

it('keeps stored outputs that were not evaluated, without removed ones', async () => {
  const text =
    OUTPUT('old', 'timestamp()') +
    'output "secret" {\n  value     = timestamp()\n  sensitive = true\n}\n';
  expect(await recordedOutputs(text, [])).toEqual({ old: 'stored', secret: 'stored (sensitive)' });
});

it('stores evaluated outputs, but not null', async () => {
  const text = OUTPUT('old', 'null') + OUTPUT('more', '"new"');
  expect(await recordedOutputs(text, ['old', 'more'])).toEqual({ more: 'new' });
});

it('stores the planned value if the plan knew it', async () => {
  const text = OUTPUT('old', 'timestamp()') + OUTPUT('same', '"planned"');
  const project = new SampleProject(text);
  const { run, recorded, evaluate } = await openSample(project);
  await evaluate('output.same');
  run.evaluation.root.setOutput('same', str('final'));
  run.evaluation.root.setOutput('old', str('final'));
  await recordOutputs(run);
  const [event] = recorded;
  const values = event?.kind === 'outputs' ? event.values : new Map();
  expect(values.get('same')).toEqual(str('planned'));
  expect(values.get('old')).toEqual(str('final'));
});
