import { describe, expect, it } from 'vitest';
import { errorsOf, TestProject } from './harness.ts';
import { throughFile } from './plan-file-rules.ts';

const thing = (name: string, body = ''): string =>
  `resource "test_thing" "${name}" {\n  name = "${name}"\n  ${body}\n}\n`;

const MAIN = `
variable "secret" {
  default   = "s"
  sensitive = true
}
variable "shape" {
  type    = object({ list = list(number), map = map(string), any = any })
  default = { list = [1, 2.5, 1e30], map = { ö = "\\u0000" }, any = null }
}
data "test_lookup" "now" {
  name = "now"
}
data "test_lookup" "later" {
  name = test_thing.new.id
}
output "secret" {
  value     = { shown = var.shape, hidden = var.secret }
  sensitive = true
}
output "unknown" {
  value = test_thing.new.id
}
output "gone" {
  value = null
}
check "fails" {
  assert {
    condition     = length(var.shape.list) > 9
    error_message = "too few"
  }
}
`;

describe('a plan through a file', () => {
  it('keeps unknown, null, sensitive and large values, reads, checks and outputs', async () => {
    const project = new TestProject();
    project.write({ 'main.tf': MAIN + thing('new', 'secret = var.secret'), 'other.tf': '# ö\n' });
    const { plan, diagnostics } = await project.plan();
    expect(errorsOf(diagnostics)).toEqual([]);
    if (plan === undefined) throw new Error('no plan');
    const again = throughFile(plan);
    expect(again.changes.map(({ action }) => action)).toEqual(
      plan.changes.map(({ action }) => action),
    );
    expect(errorsOf(await project.follow(again))).toEqual([]);
    expect(project.state.outputs.get('unknown')?.value.asString()).toBe('id-1');
    expect(project.state.outputs.get('secret')?.sensitive).toBe(true);
  });

  it('keeps moves, replacements, removals, drift and deposed objects', async () => {
    const project = new TestProject();
    const first = 'lifecycle {\n    create_before_destroy = true\n  }';
    project.write(thing('a') + thing('b', `kind = "1"\n  ${first}`) + thing('c') + thing('d'));
    await project.apply();
    project.world.trouble = (action) => (action === 'delete' ? 'refuse' : undefined);
    project.write(thing('a') + thing('b', `kind = "2"\n  ${first}`) + thing('c') + thing('d'));
    expect(errorsOf(await project.apply())).toEqual(['Cannot delete: b refuses.']);
    project.world.trouble = () => undefined;
    for (const [id, value] of [...project.world.objects])
      if (value.attr('name').asString() === 'd') project.world.objects.delete(id);
    project.write(
      `${thing('moved').replace('name = "moved"', 'name = "a"')}moved {\n  from = test_thing.a\n  to   = test_thing.moved\n}\n${thing('b', `kind = "3"\n  ${first}`)}${thing('d')}`,
    );
    const { plan, lines } = await project.plan();
    if (plan === undefined) throw new Error('no plan');
    expect(lines.map((line) => line.replace(/[0-9a-f]{8}/, 'K'))).toEqual([
      'create-then-delete test_thing.b: replace_because_cannot_update',
      'delete test_thing.b (deposed K)',
      'delete test_thing.c: delete_because_no_resource_config',
      'create test_thing.d',
    ]);
    expect(errorsOf(await project.follow(throughFile(plan)))).toEqual([]);
    expect((await project.plan()).lines).toEqual([]);
    expect(project.world.objects.size).toBe(3);
  });

  it('keeps a plan to destroy, and one with targets and requested replacements', async () => {
    const project = new TestProject();
    project.write(thing('a', 'count = 2') + thing('b'));
    await project.apply();
    for (const choices of [
      { replace: ['test_thing.a[0]'], targets: ['test_thing.a'] },
      { mode: 'destroy' as const },
    ]) {
      const { plan } = await project.plan(choices);
      if (plan === undefined) throw new Error('no plan');
      expect(errorsOf(await project.follow(throughFile(plan), choices))).toEqual([]);
    }
    expect(project.state.isEmpty).toBe(true);
  });
});
