import type { Step } from '../plan/step.ts';
import type { LockGuard } from '../state/held-lock.ts';
import { RecordingError, type StateRecorder } from '../state/recorder.ts';
import { describe, expect, it } from 'vitest';
import { applySample, memoryRecorder, problems, SampleProject } from './fixtures/sample-run.ts';

const CHAIN = `
resource "test_thing" "a" {
  name = "a"
}

resource "test_thing" "b" {
  name = "b"
  kind = test_thing.a.id
}

resource "test_thing" "c" {
  name = "c"
}
`;
const REFUSAL = { severity: 'error', summary: 'Refused', detail: 'Not today.' } as const;

describe('the steps of a plan', () => {
  it('are executed after the steps that they name', async () => {
    const project = new SampleProject(CHAIN);
    const { diagnostics, stopped } = await applySample(project, await project.plan());
    expect(problems(diagnostics)).toBe('');
    expect(stopped).toBe(false);
    expect(project.calls.indexOf('create b')).toBeGreaterThan(project.calls.indexOf('create a'));
    expect(project.calls.toSorted()).toEqual(['create a', 'create b', 'create c']);
  });

  it('are skipped after the failure of a step that they name, and only then', async () => {
    const project = new SampleProject(CHAIN);
    project.overrides = {
      applyResourceChange: ({ prior, address = '' }) => {
        project.calls.push(address);
        return { state: prior, diagnostics: [REFUSAL] };
      },
    };
    const { diagnostics, stopped } = await applySample(project, await project.plan());
    expect(project.calls.toSorted()).toEqual(['test_thing.a', 'test_thing.c']);
    expect(problems(diagnostics)).toContain('error: Refused: Not today.');
    expect(stopped).toBe(false);
  });

  it('are not started if they form a cycle, which is reported in the names of Terraform', async () => {
    const project = new SampleProject(CHAIN).store({ 'test_thing.old': { id: 'o', name: 'old' } });
    const plan = await project.plan();
    const last = plan.steps.length - 1;
    const cyclic = plan.steps.map((step): Step => ({
      ...step,
      after: step.id === 0 ? [last] : [...step.after, step.id - 1],
    }));
    const { diagnostics } = await applySample(project, { ...plan, steps: cyclic });
    expect(project.calls).toEqual([]);
    const [{ summary } = { summary: '' }] = diagnostics;
    expect(summary).toMatch(/^Cycle: /);
    const names = summary.slice('Cycle: '.length).split(', ');
    expect(names).toEqual(names.toSorted());
    expect(names).toEqual(
      expect.arrayContaining(['test_thing.a', 'test_thing.a (expand)', 'test_thing.old (destroy)']),
    );
  });

  it('run concurrently up to the parallelism', async () => {
    for (const parallelism of [1, 2]) {
      const project = new SampleProject(
        'resource "test_thing" "t" {\n  count = 4\n  name  = "t${count.index}"\n}\n',
      );
      let running = 0;
      let most = 0;
      project.overrides = {
        applyResourceChange: async ({ planned }) => {
          most = Math.max(most, ++running);
          await new Promise((resolve) => setTimeout(resolve, 1));
          running--;
          return { state: planned, diagnostics: [REFUSAL] };
        },
      };
      await applySample(project, await project.plan(), { parallelism });
      expect(most).toBe(parallelism);
    }
  });

  it('are not started once a change cannot be recorded', async () => {
    const project = new SampleProject(CHAIN);
    const plan = await project.plan();
    const { draft } = memoryRecorder(project);
    const recorder: StateRecorder = {
      draft,
      record: (event) =>
        event.kind === 'outputs' || event.kind === 'checks'
          ? undefined
          : Promise.reject(new RecordingError(new Error('disk full'))),
      finish: () => Promise.reject(new Error('not called')),
    };
    const { diagnostics, stopped } = await applySample(project, plan, { recorder, parallelism: 1 });
    expect(project.calls).toEqual([]);
    expect(stopped).toBe(true);
    expect(problems(diagnostics)).toBe(
      'error: Failed to record a change: The journal of the state could not be written: disk full. No further operations were started.',
    );
  });

  it('pass on errors that are defects of the program', async () => {
    const project = new SampleProject(CHAIN);
    const plan = await project.plan();
    const unknown: Step = { id: 0, after: [], kind: 'evaluate', module: '', key: 'local.absent' };
    await expect(applySample(project, { ...plan, steps: [unknown] })).rejects.toThrow(
      'the plan has a step for  local.absent, the configuration does not',
    );
  });

  it('are not started once the lock of the state is lost, which is not an error of a step', async () => {
    const project = new SampleProject(CHAIN);
    const lock: LockGuard = {
      lost: new AbortController().signal,
      isValid: () => true,
      confirm: () => Promise.reject(new Error('the lease has expired')),
    };
    const { diagnostics, stopped } = await applySample(project, await project.plan(), { lock });
    expect(project.calls).toEqual([]);
    expect(diagnostics).toEqual([]);
    expect(stopped).toBe(true);
  });

  it('are not started after an interrupt', async () => {
    const project = new SampleProject(CHAIN);
    const plan = await project.plan();
    const interrupt = new AbortController();
    interrupt.abort();
    const { stopped } = await applySample(project, plan, { signal: interrupt.signal });
    expect(stopped).toBe(true);
    expect(project.calls).toEqual([]);
  });
});
