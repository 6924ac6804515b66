import { bool, number, nullOf, str, STRING, unknownOf, type Value } from '@terrane/cty';
import type { Diagnostic } from '@terrane/hcl';
import type { Provider } from '@terrane/provider';
import { describe, expect, it } from 'vitest';
import type { StateEvent } from '../state/event.ts';
import type { LockGuard } from '../state/held-lock.ts';
import { applyChange, checkUnchanged } from './change-step.ts';
import {
  addressOf,
  openSample,
  problems,
  SampleProject,
  thing,
  withAttributes,
} from './fixtures/sample-run.ts';
import { Halted } from './lock-gate.ts';

const A = addressOf('test_thing.a');
const PLAIN = 'resource "test_thing" "a" {\n  name = "a"\n}\n';
const OLD = { id: 'i', name: 'old', size: 3 };
const REFUSAL = { severity: 'error', summary: 'Refused', detail: 'Not today.' } as const;

interface Change {
  readonly text?: string;
  readonly stored?: Readonly<Parameters<SampleProject['store']>>;
  /** Replaces methods of the provider once the plan is made. */
  readonly provider?: Partial<Provider>;
  readonly depose?: string;
  readonly variables?: Readonly<Record<string, string>>;
}

/** Plans a project and makes the planned change of `test_thing.a`. */
async function change({ text = PLAIN, stored, provider = {}, depose, variables }: Change) {
  const project = new SampleProject(text, variables);
  if (stored !== undefined) project.store(...stored);
  if (provider.sideEffects !== undefined) project.overrides = { sideEffects: provider.sideEffects };
  const { run, recorded, evaluate } = await openSample(project);
  expect(await evaluate('test_thing.a')).toEqual([]);
  project.overrides = provider;
  const diagnostics: Diagnostic[] = [];
  await applyChange(run, 7, A, depose, diagnostics);
  const ends = project.events.flatMap(({ kind }) =>
    kind === 'apply-complete' || kind === 'apply-errored' ? [kind] : [],
  );
  const object = run.recorder.draft.instance(A)?.current;
  const value = run.evaluation.root.resources.get('test_thing.a')?.values.get(undefined);
  return { project, run, recorded, problems: problems(diagnostics), ends, object, value };
}

const kinds = (events: readonly StateEvent[]): readonly string[] => events.map(({ kind }) => kind);
const kindsOfChange = (project: SampleProject): readonly string[] =>
  project.events.flatMap(({ kind }) => (kind.startsWith('apply-') ? [kind] : []));
const idOf = (value: Value | undefined): string | undefined => value?.attr('id').asString();

describe('creating an object', () => {
  it('records the intent, then the object, which references see', async () => {
    const { recorded, run, value, ends } = await change({});
    expect(recorded).toMatchObject([
      { kind: 'intent', step: 7, action: 'create', addr: A },
      { kind: 'put', addr: A, object: { status: 'ready' } },
    ]);
    expect(idOf(value)).toBe('new-1');
    expect(run.counts).toMatchObject({ added: 1, changed: 0 });
    expect(ends).toEqual(['apply-complete']);
  });

  it('records no intent if the provider has no side effects', async () => {
    const { recorded } = await change({ provider: { sideEffects: false } });
    expect(kinds(recorded)).toEqual(['put']);
  });

  it.each([
    ['taints what a failed creation leaves', thing({ id: 'h', name: 'a', size: 1 }), 'tainted'],
    ['drops the intent if a failed creation leaves nothing', nullOf(thing({}).type), undefined],
  ])('%s', async (_name, state, status) => {
    const { object, recorded, run, ends, problems } = await change({
      provider: { applyResourceChange: () => ({ state, diagnostics: [REFUSAL] }) },
    });
    expect(problems).toBe('error: Refused: Not today.');
    expect(object?.status).toBe(status);
    expect(recorded.at(-1)?.kind).toBe(status === undefined ? 'drop' : 'put');
    expect(run.counts.added).toBe(0);
    expect(ends).toEqual(['apply-errored']);
  });

  it('leaves the intent open if the provider does not respond', async () => {
    const { recorded, ends, problems } = await change({
      provider: {
        applyResourceChange: ({ prior }) => ({
          state: prior,
          unanswered: true,
          diagnostics: [REFUSAL],
        }),
      },
    });
    expect(kinds(recorded)).toEqual(['intent']);
    expect(problems).toContain('warning: Interrupted operation');
    expect(ends).toEqual(['apply-errored']);
  });

  it('does not begin after a failed precondition', async () => {
    const condition =
      'precondition {\n      condition     = var.ok\n      error_message = "No."\n    }';
    const text = `variable "ok" {\n  type = bool\n}\nresource "test_thing" "a" {\n  name = "a"\n  lifecycle {\n    ${condition}\n  }\n}\n`;
    const project = new SampleProject(text, { ok: 'true' });
    const { run, recorded, evaluate } = await openSample(project);
    await evaluate('var.ok');
    await evaluate('test_thing.a');
    run.evaluation.root.setVariable('ok', bool(false), bool(false));
    const diagnostics: Diagnostic[] = [];
    await applyChange(run, 0, A, undefined, diagnostics);
    expect(problems(diagnostics)).toBe('error: Resource precondition failed: No.');
    expect(recorded).toEqual([]);
    expect(project.calls).toEqual([]);
  });

  it('reports a failed postcondition and keeps the object', async () => {
    const condition =
      'postcondition {\n      condition     = self.id == "x"\n      error_message = "Not x."\n    }';
    const { problems, object } = await change({
      text: `resource "test_thing" "a" {\n  name = "a"\n  lifecycle {\n    ${condition}\n  }\n}\n`,
    });
    expect(problems).toBe('error: Resource postcondition failed: Not x.');
    expect(object?.status).toBe('ready');
  });
});

describe('updating an object', () => {
  const stored: Change['stored'] = [{ 'test_thing.a': OLD }];

  it('keeps its id and counts as a change', async () => {
    const { run, value, project } = await change({ stored });
    expect(idOf(value)).toBe('i');
    expect(value?.attr('name').asString()).toBe('a');
    expect(run.counts).toMatchObject({ added: 0, changed: 1 });
    expect(project.calls).toEqual(['update a']);
  });

  it('does not call the provider if only the sensitivity differs', async () => {
    const { project, recorded, ends, object } = await change({
      text: 'resource "test_thing" "a" {\n  name = sensitive("old")\n}\n',
      stored,
    });
    expect(project.calls).toEqual([]);
    expect(kinds(recorded)).toEqual(['put']);
    expect(object?.sensitivePaths).toContainEqual([{ kind: 'attr', name: 'name' }]);
    expect(ends).toEqual(['apply-complete']);
  });

  it('keeps the stored object if a failed update leaves nothing', async () => {
    const { object } = await change({
      stored,
      provider: {
        applyResourceChange: ({ prior }) => ({
          state: nullOf(prior.type),
          diagnostics: [REFUSAL],
        }),
      },
    });
    expect(object?.attributesJson).toContain('"old"');
  });

  it('does not taint the object after a failure', async () => {
    const { object } = await change({
      stored,
      provider: {
        applyResourceChange: ({ planned }) => ({ state: planned, diagnostics: [REFUSAL] }),
      },
    });
    expect(object?.status).toBe('ready');
  });
});

describe('the second plan of a change', () => {
  /** A provider that plans something else than before. */
  const planning = (
    attributes: Readonly<Record<string, Value>>,
    requiresReplace: readonly string[] = [],
  ): Partial<Provider> => ({
    planResourceChange: ({ proposed }) => ({
      planned: withAttributes(proposed, attributes),
      requiresReplace: requiresReplace.map((name) => [{ kind: 'attr', name }]),
    }),
  });

  it.each([
    {
      name: 'may know what the first did not',
      provider: planning({ id: unknownOf(STRING), size: number(1) }),
      expected: '',
    },
    {
      name: 'may not change a planned value',
      stored: [{ 'test_thing.a': OLD }] as const,
      provider: planning({ size: number(4) }),
      expected:
        'error: Provider produced inconsistent final plan: When expanding the plan for test_thing.a to include new values learned so far during apply, provider "registry.terraform.io/hashicorp/test" produced an invalid new value for .size: was cty.NumberIntVal(3), but now cty.NumberIntVal(4).',
    },
    {
      name: 'may not replace an object that was to be updated',
      stored: [{ 'test_thing.a': OLD }] as const,
      provider: planning({}, ['name']),
      expected:
        'error: Provider produced inconsistent final plan: When expanding the plan for test_thing.a to include new values learned so far during apply, provider "registry.terraform.io/hashicorp/test" changed the planned action from Update to DeleteThenCreate.',
    },
  ])('$name', async ({ stored, provider, expected }) => {
    const { problems, recorded } = await change({
      ...(stored === undefined ? {} : { stored }),
      provider,
    });
    expect(problems.split('\n')[0]).toBe(expected);
    expect(recorded.length > 0).toBe(expected === '');
  });

  it('may find that nothing is left to change', async () => {
    const text = `
      resource "test_thing" "b" {
        name = "b"
      }
      resource "test_thing" "a" {
        name = "old"
        tags = { b = test_thing.b.id }
      }
    `;
    const project = new SampleProject(text).store({ 'test_thing.a': { ...OLD, tags: { b: 'x' } } });
    const { run, recorded, evaluate } = await openSample(project);
    expect(run.changes.get(A)?.action).toBe('update');
    await evaluate('test_thing.b');
    await evaluate('test_thing.a');
    const { resources } = run.evaluation.root;
    resources.get('test_thing.b')?.set(undefined, thing({ id: 'x', name: 'b', size: 1 }));
    const diagnostics: Diagnostic[] = [];
    await applyChange(run, 0, A, undefined, diagnostics);
    expect(diagnostics).toEqual([]);
    expect(recorded).toEqual([]);
    expect(project.calls).toEqual([]);
    expect(idOf(resources.get('test_thing.a')?.values.get(undefined))).toBe('i');
  });
});

describe('replacing an object that is set aside first', () => {
  const text =
    'resource "test_thing" "a" {\n  name = "a"\n  kind = "new"\n  lifecycle {\n    create_before_destroy = true\n  }\n}\n';
  const stored: Change['stored'] = [{ 'test_thing.a': { ...OLD, kind: 'old' } }];
  const depose = '0000000d';

  it('leaves it deposed', async () => {
    const { run, recorded } = await change({ text, stored, depose });
    expect(kinds(recorded)).toEqual(['depose', 'intent', 'put']);
    expect([...(run.recorder.draft.instance(A)?.deposed.keys() ?? [])]).toEqual([depose]);
  });

  it('restores it after a failure', async () => {
    const { object, recorded } = await change({
      text,
      stored,
      depose,
      provider: {
        applyResourceChange: ({ prior }) => ({ state: prior, diagnostics: [REFUSAL] }),
      },
    });
    expect(recorded.at(-1)).toEqual({ kind: 'restore', addr: A, from: depose });
    expect(object?.attributesJson).toContain('"i"');
  });

  it('leaves it deposed if it is not known whether the new object exists', async () => {
    const { object, recorded } = await change({
      text,
      stored,
      depose,
      provider: {
        applyResourceChange: ({ prior }) => ({
          state: prior,
          unanswered: true,
          diagnostics: [REFUSAL],
        }),
      },
    });
    expect(kinds(recorded)).toEqual(['depose', 'intent']);
    expect(object).toBeUndefined();
  });
});

describe('a change whose lock is lost after its start', () => {
  const lock: LockGuard = {
    lost: AbortSignal.abort(new Error('the lease has expired')),
    isValid: () => false,
    confirm: () => Promise.resolve(),
  };
  const text =
    'resource "test_thing" "a" {\n  name = "a"\n  kind = "new"\n  lifecycle {\n    create_before_destroy = true\n  }\n}\n';

  it.each([
    ['withdraws its intent', true, ['depose', 'intent', 'drop', 'restore']],
    ['has no intent without side effects', false, ['depose', 'restore']],
  ])('%s, and restores the deposed object', async (_name, sideEffects, events) => {
    const project = new SampleProject(text).store({ 'test_thing.a': { ...OLD, kind: 'old' } });
    project.overrides = { sideEffects };
    const { run, recorded, evaluate } = await openSample(project, {}, { lock });
    await evaluate('test_thing.a');
    const changing = Promise.resolve(applyChange(run, 0, A, '0000000d', []));
    await expect(changing).rejects.toThrow(Halted);
    expect(kinds(recorded)).toEqual(events);
    expect(project.calls).toEqual([]);
    expect(kindsOfChange(project)).toEqual(['apply-start', 'apply-errored']);
  });
});

describe('a provider that responds later', () => {
  const later = async (): Promise<void> => await new Promise((resolve) => setImmediate(resolve));

  it('has the same result', async () => {
    const { recorded, run, value, project } = await change({
      provider: {
        planResourceChange: async ({ proposed }) => {
          await later();
          const planned = withAttributes(proposed, { id: unknownOf(STRING), size: number(1) });
          return { planned, requiresReplace: [] };
        },
        applyResourceChange: async ({ planned }) => {
          await later();
          return { state: withAttributes(planned, { id: str('x') }) };
        },
      },
    });
    expect(kinds(recorded)).toEqual(['intent', 'put']);
    expect(idOf(value)).toBe('x');
    expect(run.counts.added).toBe(1);
    expect(kindsOfChange(project)).toEqual(['apply-start', 'apply-complete']);
  });

  it('restores what was deposed if it rejects the second plan', async () => {
    const { recorded, problems } = await change({
      text: 'resource "test_thing" "a" {\n  name = "a"\n  kind = "new"\n  lifecycle {\n    create_before_destroy = true\n  }\n}\n',
      stored: [{ 'test_thing.a': { ...OLD, kind: 'old' } }],
      depose: '0000000d',
      provider: {
        planResourceChange: async ({ prior }) => {
          await later();
          return { planned: prior, requiresReplace: [], diagnostics: [REFUSAL] };
        },
      },
    });
    expect(problems).toBe('error: Refused: Not today.');
    expect(kinds(recorded)).toEqual(['depose', 'restore']);
  });
});

describe('an instance without a change', () => {
  it.each([
    ['i', ''],
    ['other', 'error: Resource postcondition failed: Not i.'],
  ])('has its conditions checked: id %s', async (id, expected) => {
    const project = new SampleProject(
      'resource "test_thing" "a" {\n  name = "old"\n  lifecycle {\n    postcondition {\n      condition     = self.id == "i"\n      error_message = "Not i."\n    }\n  }\n}\n',
    ).store({ 'test_thing.a': OLD });
    const { run, evaluate } = await openSample(project);
    await evaluate('test_thing.a');
    const planned = run.changes.get(A);
    if (planned === undefined) throw new Error('no change');
    const after = withAttributes(planned.after, { id: str(id) });
    const changes = new Map([[A, { ...planned, after }]]);
    const diagnostics: Diagnostic[] = [];
    await checkUnchanged({ ...run, changes }, A, diagnostics);
    expect(problems(diagnostics)).toBe(expected);
  });
});
