import { str } from '@terrane/cty';
import type { Diagnostic } from '@terrane/hcl';
import { describe, expect, it } from 'vitest';
import { addressOf, openSample, problems, SampleProject } from './fixtures/sample-run.ts';
import { checkConditions, targetOf } from './target.ts';

const A = addressOf('test_thing.a');
const TEXT = 'resource "test_thing" "a" {\n  name = "a"\n}\n';

describe('the target of a step', () => {
  it('has the configuration, the provider and the planned change of an instance', async () => {
    const { run, evaluate } = await openSample(new SampleProject(TEXT));
    await evaluate('test_thing.a');
    const diagnostics: Diagnostic[] = [];
    const target = await targetOf(run, A, diagnostics);
    expect(diagnostics).toEqual([]);
    expect(target?.resource.addr.text).toBe('test_thing.a');
    expect(target?.planned).toBe(run.changes.get(A));
    expect(target?.cell).toBe(run.evaluation.root.resources.get('test_thing.a'));
  });

  it.each([
    {
      name: 'its configuration was generated with the plan',
      changed: { generatedConfig: 'resource {}' },
      evaluated: true,
      expected: 'error: Generated configuration is not in use yet',
    },
    {
      name: 'the configuration does not ask for it any more',
      changed: {},
      evaluated: false,
      expected: 'error: Instances changed since the plan was made',
    },
  ])('is none if $name', async ({ changed, evaluated, expected }) => {
    const { run, evaluate } = await openSample(new SampleProject(TEXT));
    if (evaluated) await evaluate('test_thing.a');
    const change = run.changes.get(A);
    if (change === undefined) throw new Error('no change');
    const diagnostics: Diagnostic[] = [];
    const changes = new Map([[A, { ...change, ...changed }]]);
    expect(await targetOf({ ...run, changes }, A, diagnostics)).toBeUndefined();
    expect(problems(diagnostics)).toContain(expected);
  });

  it('is none if its provider cannot be configured, which is reported once', async () => {
    const project = new SampleProject(TEXT);
    const { run, evaluate } = await openSample(project);
    await evaluate('test_thing.a');
    project.overrides = {
      configure: () => ({ diagnostics: [{ severity: 'error', summary: 'No login', detail: '' }] }),
    };
    const reported: string[] = [];
    for (let time = 0; time < 2; time++) {
      const diagnostics: Diagnostic[] = [];
      expect(await targetOf(run, A, diagnostics)).toBeUndefined();
      reported.push(diagnostics.map(({ summary }) => summary).join());
    }
    expect(reported).toEqual(['No login,Invalid provider configuration', '']);
  });
});

describe('the conditions of a target', () => {
  it.each([
    ['precondition', ['Before']],
    ['postcondition', ['After']],
  ] as const)('of the kind %s are evaluated, and no others', async (kind, expected) => {
    const rule = (of: string, message: string): string =>
      `${of} {\n      condition     = local.text != ""\n      error_message = "${message}"\n    }\n    `;
    const text = `locals {\n  text = "x"\n}\nresource "test_thing" "a" {\n  name = "a"\n  lifecycle {\n    ${rule('precondition', 'Before')}${rule('postcondition', 'After')}\n  }\n}\n`;
    const project = new SampleProject(text);
    const { run, evaluate } = await openSample(project);
    await evaluate('test_thing.a');
    run.evaluation.root.setLocal('text', str(''));
    const target = await targetOf(run, A, []);
    if (target === undefined) throw new Error('no target');
    const diagnostics: Diagnostic[] = [];
    await checkConditions(run, target, kind, target.scope, diagnostics);
    expect(diagnostics.map(({ detail }) => detail.split('\n')[0])).toEqual(expected);
  });
});
