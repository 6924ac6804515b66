import { describe, expect, it } from 'vitest';
import { addressOf, openSample, SampleProject } from './fixtures/sample-run.ts';
import { deposedKeyText } from './request.ts';

const A = addressOf('test_thing.a');
const thing = (name: string, lines: string): string =>
  `resource "test_thing" "${name}" {\n  ${lines}\n}\n`;

describe('an open run', () => {
  it('has the changes of current and deposed objects apart', async () => {
    const project = new SampleProject(thing('a', 'name = "a"'))
      .store({ 'test_thing.a': { id: 'd', name: 'd' } })
      .depose('test_thing.a', '0000000d')
      .store({ 'test_thing.a': { id: 'i', name: 'old' } });
    const { run } = await openSample(project);
    expect(run.changes.get(A)?.action).toBe('update');
    expect(run.deposedChanges.get(deposedKeyText(A, '0000000d'))?.action).toBe('delete');
  });

  it('has the planned outputs that are wholly known', async () => {
    const { run } = await openSample(
      new SampleProject(
        'output "known" {\n  value = "v"\n}\noutput "open" {\n  value = timestamp()\n}\n',
      ),
    );
    expect([...run.plannedOutputs.keys()]).toEqual(['known']);
  });

  it('has the resources that create before they destroy, with their dependencies', async () => {
    const { run } = await openSample(
      new SampleProject(
        thing('a', 'name = test_thing.b.id\n  lifecycle {\n    create_before_destroy = true\n  }') +
          thing('b', 'name = "b"') +
          thing('c', 'name = "c"'),
      ),
    );
    const names = [...run.createsFirst].map(({ resource }) => resource.addr.text);
    expect(names.toSorted()).toEqual(['test_thing.a', 'test_thing.b']);
  });

  it('has deferred changes, and evaluates with unknown instances then', async () => {
    const project = new SampleProject(
      thing('a', 'name = "a"') + thing('b', 'count = test_thing.a.size\n  name  = "b"'),
    );
    const { run } = await openSample(project, { allowDeferral: true });
    expect([...run.deferred.keys()].map(({ text }) => text)).toEqual(['test_thing.b[*]']);
    expect(run.evaluation.deferring).toBe(true);
    const { run: plain } = await openSample(new SampleProject(thing('a', 'name = "a"')));
    expect(plain.evaluation.deferring).toBe(false);
  });

  it('has the resources whose values nothing reads', async () => {
    const condition =
      'lifecycle {\n    postcondition {\n      condition     = self.id != ""\n      error_message = "m"\n    }\n  }';
    const text =
      thing('read', 'name = "a"') +
      thing('unread', 'name = test_thing.read.id') +
      thing('required', 'name = "a"') +
      thing('requires', 'name = "a"\n  depends_on = [test_thing.required]') +
      thing('shown', 'name = "a"') +
      'output "o" {\n  value = test_thing.shown.id\n}\n' +
      thing('checked', `name = "a"\n  ${condition}`);
    const { run } = await openSample(new SampleProject(text), {}, { evaluateAll: false });
    const names = [...run.unread].map(({ resource }) => resource.addr.name);
    expect(names.toSorted()).toEqual(['requires', 'unread']);
    const { run: retaining } = await openSample(new SampleProject(text));
    expect(retaining.unread.size).toBe(0);
  });

  it('refuses to read values that it does not retain', async () => {
    const project = new SampleProject(thing('a', 'name = "a"'));
    const { run, evaluate } = await openSample(project, {}, { evaluateAll: false });
    expect(await evaluate('test_thing.a')).toEqual([]);
    const cell = run.evaluation.root.resources.get('test_thing.a');
    expect(() => cell?.combinedValue()).toThrow('the values of test_thing.a are not retained');
  });

  it('calls no provider', async () => {
    const project = new SampleProject(thing('a', 'name = "a"'));
    const { recorded } = await openSample(project);
    expect(project.calls).toEqual([]);
    expect(recorded).toEqual([]);
  });
});
