import { nullOf } from '@terrane/cty';
import type { Diagnostic } from '@terrane/hcl';
import type { ApplyAnswer, Provider } from '@terrane/provider';
import { describe, expect, it } from 'vitest';
import type { LockGuard } from '../state/held-lock.ts';
import { applyDelete, applyForget } from './delete-step.ts';
import {
  addressOf,
  openSample,
  problems,
  SampleProject,
  storedThing,
  thing,
} from './fixtures/sample-run.ts';
import { Halted } from './lock-gate.ts';

const A = addressOf('test_thing.a');
const OLD = { id: 'i', name: 'a' };
const REFUSAL = { severity: 'error', summary: 'Refused', detail: 'Not today.' } as const;

/** Deletes `test_thing.a`, which no configuration declares, and returns the events of it. */
async function deletion(
  answer: (prior: Parameters<Provider['applyResourceChange']>[0]['prior']) => ApplyAnswer,
  stored: Parameters<typeof storedThing>[1] = {},
) {
  const project = new SampleProject('').store({ 'test_thing.a': OLD }, stored);
  project.overrides = { applyResourceChange: ({ prior }) => answer(prior) };
  const { run, recorded } = await openSample(project);
  const diagnostics: Diagnostic[] = [];
  await applyDelete(run, 7, A, undefined, diagnostics);
  const events = project.events.flatMap(({ kind }) => (kind.startsWith('apply-') ? [kind] : []));
  return { run, recorded, events, errors: problems(diagnostics) };
}

describe('deleting an object', () => {
  it('records the intent before the call of the provider, and the deletion after it', async () => {
    const order: string[] = [];
    const { run, recorded, events } = await deletion((prior) => {
      order.push(`delete ${prior.attr('id').asString()}`);
      return { state: nullOf(prior.type) };
    });
    expect(order).toEqual(['delete i']);
    expect(recorded).toMatchObject([
      { kind: 'intent', action: 'delete', step: 7, addr: A },
      { kind: 'drop', addr: A },
    ]);
    expect(events).toEqual(['apply-start', 'apply-complete']);
    expect(run.counts.removed).toBe(1);
    expect(run.recorder.draft.instance(A)).toBeUndefined();
  });

  it('keeps the stored object if the provider fails without returning a state', async () => {
    const { run, recorded, events, errors } = await deletion((prior) => ({
      state: nullOf(prior.type),
      diagnostics: [REFUSAL],
    }));
    expect(errors).toBe('error: Refused: Not today.');
    expect(recorded.at(-1)).toMatchObject({ kind: 'put', object: storedThing(OLD) });
    expect(events).toEqual(['apply-start', 'apply-errored']);
    expect(run.counts.removed).toBe(0);
  });

  it('stores the remaining object of the provider, without its replacement order', async () => {
    const left = thing({ id: 'i', name: 'half' });
    const { recorded } = await deletion(() => ({ state: left, diagnostics: [REFUSAL] }), {
      createBeforeDestroy: true,
    });
    expect(recorded.at(-1)).toMatchObject({
      kind: 'put',
      object: { createBeforeDestroy: false, attributesJson: expect.stringContaining('"half"') },
    });
  });

  it('needs no intent if the provider has no side effects', async () => {
    const project = new SampleProject('').store({ 'test_thing.a': OLD });
    project.overrides = { sideEffects: false };
    const { run, recorded } = await openSample(project);
    await applyDelete(run, 0, A, undefined, []);
    expect(recorded.map(({ kind }) => kind)).toEqual(['drop']);
  });

  it.each([
    ['withdraws its intent', true, ['intent', 'put']],
    ['has no intent without side effects', false, []],
  ])('%s if the lock is lost', async (_name, sideEffects, kinds) => {
    const project = new SampleProject('').store({ 'test_thing.a': OLD });
    project.overrides = { sideEffects };
    const lock: LockGuard = {
      lost: AbortSignal.abort(new Error('the lease has expired')),
      isValid: () => false,
      confirm: () => Promise.resolve(),
    };
    const { run, recorded } = await openSample(project, {}, { lock });
    const deleting = async (): Promise<void> => await applyDelete(run, 0, A, undefined, []);
    await expect(deleting()).rejects.toThrow(Halted);
    expect(recorded.map(({ kind }) => kind)).toEqual(kinds);
    expect(project.calls).toEqual([]);
    expect(project.events.at(-1)?.kind).toBe('apply-errored');
  });

  it('waits for a provider that responds later', async () => {
    const project = new SampleProject('').store({ 'test_thing.a': OLD });
    project.overrides = {
      applyResourceChange: async ({ prior }) => {
        await new Promise((resolve) => setImmediate(resolve));
        return { state: nullOf(prior.type) };
      },
    };
    const { run, recorded } = await openSample(project);
    await applyDelete(run, 0, A, undefined, []);
    expect(recorded.map(({ kind }) => kind)).toEqual(['intent', 'drop']);
    expect(project.events.at(-1)?.kind).toBe('apply-complete');
  });

  it('does nothing if the object does not exist any more', async () => {
    const project = new SampleProject('').store({ 'test_thing.a': OLD });
    const { run, recorded } = await openSample(project);
    await run.recorder.record({ kind: 'drop', addr: A });
    const diagnostics: Diagnostic[] = [];
    await applyDelete(run, 0, A, undefined, diagnostics);
    expect(recorded).toHaveLength(1);
    expect(project.calls).toEqual([]);
    expect(diagnostics).toEqual([]);
  });
});

describe('deleting a deposed object', () => {
  const CONFIGURATION = 'resource "test_thing" "a" {\n  name = "a"\n}\n';

  /** A project whose instance has a current object and the deposed object `0000000d`. */
  function deposed(): SampleProject {
    const project = new SampleProject(CONFIGURATION).store({
      'test_thing.a': { id: 'd', name: 'd' },
    });
    return project.depose('test_thing.a', '0000000d').store({ 'test_thing.a': OLD });
  }

  it('requests a plan from the provider, and keeps the current object', async () => {
    const project = deposed();
    let planned = 0;
    const { run, recorded } = await openSample(project);
    project.overrides = {
      planResourceChange: ({ proposed }) => {
        planned++;
        return { planned: proposed, requiresReplace: [] };
      },
    };
    await applyDelete(run, 0, A, '0000000d', []);
    expect(planned).toBe(1);
    expect(project.calls).toEqual(['delete d']);
    expect(recorded.at(-1)).toEqual({ kind: 'drop', addr: A, deposed: '0000000d' });
    expect(run.recorder.draft.instance(A)?.current?.attributesJson).toContain('"i"');
    expect(run.recorder.draft.instance(A)?.deposed.size).toBe(0);
  });

  it('stops if the provider refuses the plan', async () => {
    const project = deposed();
    const { run, recorded } = await openSample(project);
    project.overrides = {
      planResourceChange: ({ proposed }) => ({
        planned: proposed,
        requiresReplace: [],
        diagnostics: [REFUSAL],
      }),
    };
    const diagnostics: Diagnostic[] = [];
    await applyDelete(run, 0, A, '0000000d', diagnostics);
    expect(problems(diagnostics)).toBe('error: Refused: Not today.');
    expect(recorded).toEqual([]);
  });
});

describe('forgetting an object', () => {
  it.each([
    [
      'a removed block that keeps the object',
      'removed {\n  from = test_thing.a\n  lifecycle {\n    destroy = false\n  }\n}\n',
      1,
    ],
    ['a deletion, whose forget step is not its own', '', 0],
  ])(
    'drops it without a call and counts it if it is planned so: %s',
    async (_name, text, count) => {
      const project = new SampleProject(text).store({ 'test_thing.a': OLD });
      const { run, recorded } = await openSample(project);
      await applyForget(run, A, undefined);
      expect(recorded).toEqual([{ kind: 'drop', addr: A }]);
      expect(project.calls).toEqual([]);
      expect(run.counts.forgotten).toBe(count);
    },
  );
});
