import { describe, expect, it } from 'vitest';
import { applySample, problems, SampleProject } from './fixtures/sample-run.ts';
import { RecordingError } from '../state/recorder.ts';

const THING = 'resource "test_thing" "a" {\n  name = "a"\n}\n';

describe('applying a plan', () => {
  it('counts changes, records outputs and checks, and leads to an empty plan', async () => {
    const project = new SampleProject(`${THING}output "id" {\n  value = test_thing.a.id\n}\n`);
    const { counts, recorded } = await applySample(project, await project.plan());
    expect(counts).toMatchObject({ added: 1, changed: 0, removed: 0 });
    expect(recorded.map(({ kind }) => kind).slice(-2)).toEqual(['outputs', 'checks']);
    expect(project.state.outputs.get('id')?.value.asString()).toBe('new-1');
    expect((await project.plan()).applyable).toBe(false);
  });

  it('counts imports and announces them', async () => {
    const project = new SampleProject(
      `${THING.replace('"a"\n}', '"i"\n}')}import {\n  to = test_thing.a\n  id = "i"\n}\n`,
    );
    const { counts, diagnostics } = await applySample(project, await project.plan());
    expect(problems(diagnostics)).toBe('');
    expect(counts.imported).toBe(1);
    expect(project.events.filter(({ kind }) => kind === 'import-complete')).toHaveLength(1);
  });

  it('changes nothing if the adopted events cannot be recorded', async () => {
    const project = new SampleProject(
      `${THING}moved {\n  from = test_thing.old\n  to   = test_thing.a\n}\n`,
    ).store({ 'test_thing.old': { id: 'i', name: 'old' } });
    const plan = await project.plan();
    expect(plan.adopted.length).toBeGreaterThan(0);
    const { diagnostics, stopped } = await applySample(project, plan, {
      recorder: {
        draft: undefined as never, // not read before the failure
        record: () => Promise.reject(new RecordingError(new Error('disk full'))),
        finish: () => Promise.reject(new Error('not called')),
      },
    });
    expect({ stopped, calls: project.calls }).toEqual({ stopped: true, calls: [] });
    expect(diagnostics[0]?.summary).toBe('Failed to record a change');
  });

  it.each([
    [{ targets: ['test_thing.a'] }, '-target option'],
    [{}, undefined],
  ])('warns that a plan with %j may be incomplete', async (options, expected) => {
    const project = new SampleProject(THING);
    const { diagnostics } = await applySample(project, await project.plan(options));
    expect(diagnostics).toHaveLength(expected === undefined ? 0 : 1);
    if (expected !== undefined) expect(diagnostics[0]?.detail).toContain(expected);
  });

  it('evaluates the complete configuration on request', async () => {
    const project = new SampleProject('locals {\n  unused = "v"\n}\n');
    const plan = await project.plan();
    expect((await applySample(project, plan)).evaluation).toBeUndefined();
    const { evaluation } = await applySample(project, plan, { evaluateAll: true });
    expect(evaluation?.root.locals.get('unused')?.asString()).toBe('v');
  });
});
