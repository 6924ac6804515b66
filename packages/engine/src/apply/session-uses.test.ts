import { describe, expect, it } from 'vitest';
import { applySample, problems, SampleProject } from './fixtures/sample-run.ts';

const COUNT = 40;

const each = (text: (number: number) => string): string =>
  Array.from({ length: COUNT }, (_, number) => text(number)).join('');

const blocks = each((n) => `provider "test" {\n  alias = "a${n}"\n  region = "r${n}"\n}\n`);

/** Counts the providers that are configured and not closed. */
function countSessions(project: SampleProject): { most: number; opened: number } {
  const count = { most: 0, opened: 0 };
  const regions = new Set<string>();
  let open = 0;
  project.overrides = {
    ...project.overrides,
    configure: ({ config }) => {
      const region = config.attr('region');
      regions.add(region.isNull ? '' : region.asString());
      count.opened++;
      open++;
      count.most = Math.max(count.most, open);
      return {};
    },
    close: () => void open--,
  };
  return count;
}

/** A resource for each alias, and another one that is built on it. */
const things = each(
  (n) => `
resource "test_thing" "a${n}" {
  provider = test.a${n}
  name = "a${n}"
}
resource "test_thing" "b${n}" {
  provider = test.a${n}
  name = "b \${test_thing.a${n}.id}"
}
`,
);

async function applied(project: SampleProject): Promise<void> {
  const { diagnostics } = await applySample(project, await project.plan());
  expect(problems(diagnostics)).toBe('');
}

describe('provider sessions of a run with many configurations', () => {
  it('are opened once each and ten at a time, for plan, apply, refresh and destroy', async () => {
    const project = new SampleProject(blocks + things);
    let count = countSessions(project);
    const plan = await project.plan();
    expect(count).toEqual({ most: 10, opened: COUNT });
    count = countSessions(project);
    const { diagnostics, counts } = await applySample(project, plan);
    expect([problems(diagnostics), counts.added]).toEqual(['', 2 * COUNT]);
    expect(count.opened).toBe(COUNT);
    expect(count.most).toBeLessThanOrEqual(11);
    count = countSessions(project);
    await project.plan({ refresh: true });
    expect(count).toEqual({ most: 10, opened: COUNT });
    count = countSessions(project);
    const destroy = await project.plan({ mode: 'destroy' });
    expect(count.opened).toBe(COUNT);
    expect(count.most).toBeLessThanOrEqual(11);
    count = countSessions(project);
    const destroyed = await applySample(project, destroy);
    expect([problems(destroyed.diagnostics), destroyed.counts.removed]).toEqual(['', 2 * COUNT]);
    expect(count.opened).toBe(COUNT);
    expect(count.most).toBeLessThanOrEqual(11);
  });

  it('stay bounded where all resources were removed from the configuration', async () => {
    const project = new SampleProject(blocks + things);
    await applied(project);
    const emptied = new SampleProject(blocks);
    emptied.state = project.state;
    const count = countSessions(emptied);
    const plan = await emptied.plan();
    expect(plan.changes).toHaveLength(2 * COUNT);
    expect(count.opened).toBe(COUNT);
    expect(count.most).toBeLessThanOrEqual(11);
  });

  it('stay open for the instances that a resource loses', async () => {
    const counted = (number: number): string =>
      `resource "test_thing" "a" {\n  count = ${number}\n  name = "a\${count.index}"\n}\n`;
    const project = new SampleProject(counted(3));
    await applied(project);
    const fewer = new SampleProject(counted(1));
    fewer.state = project.state;
    const count = countSessions(fewer);
    expect((await fewer.plan()).changes.map(({ action }) => action)).toEqual([
      'no-op',
      'delete',
      'delete',
    ]);
    expect(count.opened).toBe(1);
  });

  it('are not opened for configurations that nothing uses', async () => {
    const project = new SampleProject(`${blocks}resource "test_thing" "a" {\n  name = "a"\n}\n`);
    const count = countSessions(project);
    await applied(project);
    // Once for the plan and once for the apply.
    expect(count.opened).toBe(2);
  });

  it('are opened for a resource without instances, whose configuration must be correct', async () => {
    const project = new SampleProject(
      'provider "test" {\n  region = "nowhere"\n}\nresource "test_thing" "a" {\n  count = 0\n  name = "a"\n}\n',
    );
    project.overrides = {
      configure: () => ({ diagnostics: [{ severity: 'error', summary: 'No region', detail: '' }] }),
    };
    expect(problems((await project.tryPlan()).diagnostics)).toBe('error: No region: ');
  });

  it('stay open until an ephemeral object is closed that they opened', async () => {
    const project = new SampleProject(
      `${blocks}ephemeral "test_token" "t" {\n  provider = test.a0\n  name = "t"\n}\n` +
        'provider "test" {\n  region = ephemeral.test_token.t.token\n}\n' +
        'resource "test_thing" "a" {\n  name = "a"\n}\n',
    );
    project.overrides = { close: () => void project.calls.push('close a provider') };
    await applied(project);
    const ends = project.calls.filter((call) => call.startsWith('close'));
    const run = ['close a provider', 'close ephemeral.test_token.t', 'close a provider'];
    expect(ends).toEqual([...run, ...run]);
  });
});
