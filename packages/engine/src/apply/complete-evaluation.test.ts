import { str } from '@terrane/cty';
import { expect, it } from 'vitest';
import { completeEvaluation } from './complete-evaluation.ts';
import { openSample, SampleProject } from './fixtures/sample-run.ts';

const TEXT = `
resource "test_thing" "a" {
  name = "wanted"
}
locals {
  id = test_thing.a.id
}
output "o" {
  value = local.id
}
`;

it('evaluates nodes that no step needed, from the state', async () => {
  const project = new SampleProject(TEXT).store({ 'test_thing.a': { id: 'i', name: 'stored' } });
  const { run } = await openSample(project);
  await completeEvaluation(run, project.state);
  const { outputs, locals, resources } = run.evaluation.root;
  expect(outputs.get('o')?.asString()).toBe('i');
  expect(locals.get('id')?.asString()).toBe('i');
  expect(resources.get('test_thing.a')?.values.get(undefined)?.attr('name').asString()).toBe(
    'stored',
  );
});

it('keeps values that are there already', async () => {
  const project = new SampleProject(TEXT).store({ 'test_thing.a': { id: 'i', name: 'stored' } });
  const { run } = await openSample(project);
  run.evaluation.root.setLocal('id', str('kept'));
  await completeEvaluation(run, project.state);
  expect(run.evaluation.root.outputs.get('o')?.asString()).toBe('kept');
});

it('fills in instances that an expanded resource lacks', async () => {
  const project = new SampleProject(TEXT).store({ 'test_thing.a': { id: 'i', name: 'stored' } });
  const { run, evaluate } = await openSample(project);
  await evaluate('test_thing.a');
  const cell = run.evaluation.root.resources.get('test_thing.a');
  expect(cell?.values.size).toBe(0);
  await completeEvaluation(run, project.state);
  expect(run.evaluation.root.resources.get('test_thing.a')).toBe(cell);
  expect(cell?.values.get(undefined)?.attr('id').asString()).toBe('i');
});

it('proceeds after expressions that fail', async () => {
  const project = new SampleProject(
    'locals {\n  failing   = tonumber(var.v)\n  dependent = [local.failing]\n}\nvariable "v" {}\n',
    { v: '1' },
  );
  const { run } = await openSample(project);
  run.evaluation.root.setVariable('v', str('none'), str('none'));
  await completeEvaluation(run, project.state);
  expect([...run.evaluation.root.locals.keys()]).toEqual(['failing', 'dependent']);
});
