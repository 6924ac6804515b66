import { str, STRING, unknownOf } from '@terrane/cty';
import type { Diagnostic } from '@terrane/hcl';
import type { Provider } from '@terrane/provider';
import { describe, expect, it } from 'vitest';
import {
  addressOf,
  openSample,
  problems,
  SampleProject,
  thing,
  withAttributes,
} from './fixtures/sample-run.ts';
import { invocationIndex, invokeOnDestroy, invokeTriggered } from './invoke.ts';
import { targetOf } from './target.ts';

const A = addressOf('test_thing.a');
const VALUE = thing({ id: 'x', name: 'a', size: 1 });

/** A project whose resource triggers the actions `one` and then `two`. */
const triggering = (event: string, more = ''): string => `
  action "test_act" "one" {
    config {
      say = "one"
    }
  }
  action "test_act" "two" {
    config {
      say = "two"
    }
  }
  resource "test_thing" "a" {
    name = "a"
    lifecycle {
      action_trigger {
        events  = [${event}]
        actions = [action.test_act.one, action.test_act.two]
        ${more}
      }
    }
  }
`;

const refusing = (calls: string[], unanswered = false): Partial<Provider> => ({
  invokeAction: ({ config }) => {
    calls.push(`invoke ${config.attr('say').asString()}`);
    return {
      unanswered,
      diagnostics: [{ severity: 'error', summary: 'Refused', detail: 'Not today.' }],
    };
  },
});

/** Invokes what the creation of `test_thing.a` triggers. */
async function triggered(text: string, overrides?: (calls: string[]) => Partial<Provider>) {
  const project = new SampleProject(text);
  const { run, recorded, evaluate } = await openSample(project);
  for (const key of ['action.test_act.one', 'action.test_act.two', 'test_thing.a'])
    await evaluate(key);
  const target = await targetOf(run, A, []);
  if (target === undefined) throw new Error('no target');
  project.overrides = overrides?.(project.calls) ?? {};
  const diagnostics: Diagnostic[] = [];
  const invoked = await invokeTriggered(run, target, ['after_create'], VALUE, diagnostics);
  const ended = recorded.map((event) => (event.kind === 'invoke' ? event.ended : event.kind));
  return {
    invoked,
    calls: project.calls,
    ended,
    counts: run.counts,
    problems: problems(diagnostics),
  };
}

describe('the index of invocations', () => {
  it('has those that instances trigger, in their order, and none of the user', async () => {
    const { plan } = (await openSample(new SampleProject(triggering('after_create')))).run;
    const [first] = plan.invocations;
    if (first === undefined) throw new Error('no invocations');
    const index = invocationIndex([{ ...first, trigger: { kind: 'invoke' } }, ...plan.invocations]);
    expect([...index.keys()]).toEqual([A]);
    expect(index.get(A)?.map(({ addr }) => addr.text)).toEqual([
      'action.test_act.one',
      'action.test_act.two',
    ]);
  });
});

describe('actions that a creation triggers', () => {
  it('is invoked in order, each recorded before and after', async () => {
    const { invoked, calls, ended, counts } = await triggered(triggering('after_create'));
    expect(invoked).toBe('done');
    expect(calls).toEqual(['invoke one', 'invoke two']);
    expect(ended).toEqual([false, true, false, true]);
    expect(counts).toMatchObject({ invoked: 2, actionsFailed: 0 });
  });

  it('is not invoked for another event', async () => {
    const { invoked, calls } = await triggered(triggering('before_create'));
    expect(invoked).toBe('done');
    expect(calls).toEqual([]);
  });

  it('ends with the first failure', async () => {
    const { invoked, calls, counts, problems, ended } = await triggered(
      triggering('after_create'),
      refusing,
    );
    expect(invoked).toBe('failed');
    expect(calls).toEqual(['invoke one']);
    expect(counts).toMatchObject({ invoked: 1, actionsFailed: 1 });
    expect(problems).toContain('error: ');
    expect(ended).toEqual([false, true]);
  });

  it.each([
    ['continue', 'done', ['invoke one', 'invoke two'], 'warning: '],
    ['taint', 'taint', ['invoke one'], 'error: '],
  ])('has a failure handled by on_failure = %s', async (handling, result, expected, severity) => {
    const { invoked, calls, problems } = await triggered(
      triggering('after_create', `on_failure = ${handling}`),
      refusing,
    );
    expect(invoked).toBe(result);
    expect(calls).toEqual(expected);
    expect(problems.startsWith(severity)).toBe(true);
  });

  it('stays open in the journal if the provider does not respond', async () => {
    const { ended } = await triggered(triggering('after_create'), (calls) => refusing(calls, true));
    expect(ended).toEqual([false]);
  });

  it.each([
    ['test_thing.a.id == "x"', ['invoke one', 'invoke two']],
    ['test_thing.a.id == "y"', []],
  ])('depends on the condition with final values: %s', async (condition, expected) => {
    const { calls } = await triggered(triggering('after_create', `condition = ${condition}`));
    expect(calls).toEqual(expected);
  });
});

describe('a condition that is still unknown', () => {
  it('fails the step', async () => {
    const project = new SampleProject(
      triggering('after_create', 'condition = test_thing.a.id == "x"'),
    );
    const { run, evaluate } = await openSample(project);
    for (const key of ['action.test_act.one', 'action.test_act.two', 'test_thing.a'])
      await evaluate(key);
    const target = await targetOf(run, A, []);
    if (target === undefined) throw new Error('no target');
    const unknown = withAttributes(VALUE, { id: unknownOf(STRING) });
    const diagnostics: Diagnostic[] = [];
    expect(await invokeTriggered(run, target, ['after_create'], unknown, diagnostics)).toBe(
      'failed',
    );
    expect(problems(diagnostics)).toContain('Unknown condition when invoking action before apply');
    expect(project.calls).toEqual([]);
  });
});

describe('actions that a destruction triggers', () => {
  const ending = async (mode: 'normal' | 'destroy', onFailure: 'halt' | 'continue') => {
    const project = new SampleProject(triggering('after_create'));
    const { run } = await openSample(project);
    const invocations = new Map(
      [...run.invocations].map(([addr, all]) => [
        addr,
        all.map((each) => ({
          ...each,
          config: withAttributes(each.config, { say: str('bye') }),
          trigger: { ...each.trigger, event: 'before_destroy' as const, onFailure },
        })),
      ]),
    );
    project.overrides = refusing(project.calls);
    const diagnostics: Diagnostic[] = [];
    const changed = { ...run, invocations, plan: { ...run.plan, mode } };
    const proceeds = await invokeOnDestroy(changed, A, 'before_destroy', diagnostics);
    return {
      proceeds,
      calls: project.calls,
      severities: diagnostics.map(({ severity }) => severity),
    };
  };

  it.each([
    ['normal', 'halt', false, 1, ['error']],
    ['normal', 'continue', true, 2, ['warning', 'warning']],
    ['destroy', 'halt', true, 2, ['warning', 'warning']],
  ] as const)(
    'in mode %s with on_failure = %s holds the object up: %s',
    async (mode, onFailure, proceeds, calls, severities) => {
      const result = await ending(mode, onFailure);
      expect(result.proceeds).toBe(proceeds);
      expect(result.calls).toEqual(Array.from({ length: calls }, () => 'invoke bye'));
      expect(result.severities).toEqual(severities);
    },
  );
});
