import type { Diagnostic } from '@terrane/hcl';
import { describe, expect, it } from 'vitest';
import { addressOf, openSample, problems, SampleProject, thing } from './fixtures/sample-run.ts';
import { applyRead } from './read-step.ts';

const D = addressOf('data.test_lookup.d');
const lookup = (lines: string): string => `data "test_lookup" "d" {\n  ${lines}\n}\n`;
const PENDING = 'resource "test_thing" "a" {\n  name = "a"\n}\n';

/** Reads a data source that waits for the creation of `test_thing.a`, whose id is `x` by then. */
async function reading(text: string, overrides: SampleProject['overrides'] = {}) {
  const project = new SampleProject(PENDING + text);
  const { run, recorded, evaluate } = await openSample(project);
  await evaluate('test_thing.a');
  const { resources } = run.evaluation.root;
  resources.get('test_thing.a')?.set(undefined, thing({ id: 'x', name: 'a', size: 1 }));
  await evaluate('data.test_lookup.d');
  project.overrides = overrides;
  const diagnostics: Diagnostic[] = [];
  await applyRead(run, D, diagnostics);
  const value = resources.get('data.test_lookup.d')?.values.get(undefined);
  return { recorded, problems: problems(diagnostics), found: value?.attr('found').asString() };
}

describe('reading a data source during an apply', () => {
  it('uses final values, records the result and makes it visible to references', async () => {
    const { recorded, problems, found } = await reading(lookup('name = test_thing.a.id'));
    expect(problems).toBe('');
    expect(found).toBe('found x');
    expect(recorded).toMatchObject([
      { kind: 'put', addr: D, object: { attributesJson: '{"found":"found x","name":"x"}' } },
    ]);
  });

  it.each([
    ['precondition', 'test_thing.a.id == "y"', [], undefined],
    ['postcondition', 'self.found == "y"', ['put'], 'found x'],
  ])('checks a %s', async (kind, condition, kinds, value) => {
    const { recorded, problems, found } = await reading(
      lookup(
        `name = test_thing.a.id\n  lifecycle {\n    ${kind} {\n      condition     = ${condition}\n      error_message = "No."\n    }\n  }`,
      ),
    );
    expect(problems).toBe(`error: Resource ${kind} failed: No.`);
    expect(recorded.map((event) => event.kind)).toEqual(kinds);
    expect(found).toBe(value);
  });

  const refusing = {
    readDataSource: ({ config }: { readonly config: ReturnType<typeof thing> }) => ({
      state: config,
      diagnostics: [{ severity: 'error' as const, summary: 'Refused', detail: 'Not today.' }],
    }),
  };

  it('reports the error of the provider and records nothing', async () => {
    const { recorded, problems, found } = await reading(lookup('name = test_thing.a.id'), refusing);
    expect(problems).toBe('error: Refused: Not today.');
    expect(recorded).toEqual([]);
    expect(found).toBeUndefined();
  });

  it('warns only if the data source belongs to a check', async () => {
    const { problems } = await reading(
      `check "c" {\n  ${lookup('name = test_thing.a.id')}\n  assert {\n    condition     = data.test_lookup.d.found == "y"\n    error_message = "No."\n  }\n}\n`,
      refusing,
    );
    expect(problems).toBe('warning: Refused: Not today.');
  });
});
