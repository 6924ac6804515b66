import { describe, expect, it } from 'vitest';
import { errorsOf, TestProject } from './harness.ts';

const CONFIG = (size: number): string => `
  resource "test_thing" "same" {
    name = "same"
    size = 1
  }
  resource "test_thing" "changed" {
    name = "changed"
    size = ${size}
  }
  resource "test_thing" "new" { name = "new" }
`;

async function applied(): Promise<TestProject> {
  const project = new TestProject();
  project.write(`${CONFIG(1)}\nresource "test_thing" "gone" { name = "gone" }`);
  await project.apply();
  project.world.calls.length = 0;
  return project;
}

function reads(project: TestProject): readonly string[] {
  return project.world.calls.filter((call) => call.startsWith('read'));
}

describe('a minimal refresh', () => {
  it('reads no objects if nothing changes', async () => {
    const project = await applied();
    const { lines } = await project.plan({ minimalRefresh: true });
    expect([lines, reads(project)]).toEqual([[], []]);
  });

  it('refreshes changing objects, and not deleted ones', async () => {
    const project = await applied();
    project.write(CONFIG(2));
    const { lines } = await project.plan({ minimalRefresh: true });
    expect(lines).toEqual([
      'update test_thing.changed',
      'delete test_thing.gone: delete_because_no_resource_config',
    ]);
    expect(reads(project)).toEqual(['read changed']);
    await project.apply({ minimalRefresh: true });
    expect((await project.plan()).lines).toEqual([]);
  });

  it('refreshes objects to be replaced, which may not exist any more', async () => {
    const project = await applied();
    project.world.objects.delete('id-1');
    const first = [...project.state.instances()].find(
      (addr) => project.state.instance(addr)?.current !== undefined,
    );
    const replace = [first?.text ?? ''];
    const { lines } = await project.plan({ minimalRefresh: true, replace });
    expect(lines).toHaveLength(1);
    expect(reads(project)).toHaveLength(1);
  });

  it('reads no objects before a complete destroy', async () => {
    const project = await applied();
    const { lines } = await project.plan({ minimalRefresh: true, mode: 'destroy' });
    expect(lines).toHaveLength(4);
    expect(reads(project)).toEqual([]);
  });

  it('is rejected with -refresh-only and -refresh=false', async () => {
    const project = await applied();
    const mode = await project.plan({ minimalRefresh: true, mode: 'refresh-only' });
    expect(errorsOf(mode.diagnostics)).toEqual([
      'Incompatible plan mode options: The -minimal-refresh option can only be used in normal or destroy planning modes, but the current mode is RefreshOnlyMode.',
    ]);
    const without = await project.plan({ minimalRefresh: true, refresh: false });
    expect(errorsOf(without.diagnostics)[0]).toContain('Incompatible refresh options');
  });
});
