import { describe, expect, it } from 'vitest';
import { SampleProject } from './fixtures/sample-project.ts';
import type { Planned } from './plan.ts';

const MANY = `
resource "test_thing" "many" {
  count = 5000
  name  = "a"
}
`;

/** A project that aborts the signal when a change of the object with a name is planned, and counts planned changes. */
function projectWith(
  text: string,
  name: string,
): { readonly project: SampleProject; readonly signal: AbortSignal; planned: number } {
  const interrupt = new AbortController();
  const project = new SampleProject(text);
  const counted = { project, signal: interrupt.signal, planned: 0 };
  project.overrides.planResourceChange = ({ prior, proposed }) => {
    counted.planned++;
    if ((proposed.isNull ? prior : proposed).attr('name').asString() === name) interrupt.abort();
    return { planned: proposed, requiresReplace: [] };
  };
  return counted;
}

function expectHalted({ plan, diagnostics }: Planned): void {
  expect(diagnostics.map(({ summary }) => summary)).toEqual(['execution halted']);
  if (plan === undefined) return;
  expect(plan).toMatchObject({ errored: true, applyable: false, complete: false });
}

describe('an interrupted plan', () => {
  it('has an error if resources were not planned', async () => {
    const counted = projectWith(
      `
resource "test_thing" "a" {
  name = "a"
}
resource "test_thing" "b" {
  name = test_thing.a.name
}
`,
      'a',
    );
    expectHalted(await counted.project.tryPlan({ signal: counted.signal }));
    expect(counted.planned).toBe(1);
  });

  it('has an error if instances of a resource were not planned', async () => {
    const counted = projectWith(MANY, 'a');
    expectHalted(await counted.project.tryPlan({ signal: counted.signal }));
    expect(counted.planned).toBe(1);
  });

  it('has an error if deletions were not planned', async () => {
    const counted = projectWith('', 'a');
    const objects = Array.from({ length: 100 }, (_, index) => [
      `test_thing.a[${index}]`,
      { id: 'i', name: 'a' },
    ]);
    counted.project.store(Object.fromEntries(objects));
    expectHalted(await counted.project.tryPlan({ mode: 'destroy', signal: counted.signal }));
    expect(counted.planned).toBeLessThan(20);
  });

  it('is interrupted while a provider responds synchronously', async () => {
    const counted = projectWith(MANY, '');
    const interrupt = new AbortController();
    setImmediate(() => interrupt.abort());
    expectHalted(await counted.project.tryPlan({ signal: interrupt.signal }));
    expect(counted.planned).toBeLessThan(2_000);
  });
});
