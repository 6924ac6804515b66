// Drift is reported if and only if a refresh-only plan would apply something, whatever happens to the objects.
import fc from 'fast-check';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import '../../scripts/property-seed.ts';
import { DriftBench } from './drift-bench.ts';

const MAIN = `
module "inner" {
  source = "./inner"
  count  = 2
  name   = "m\${count.index}"
}
resource "life_thing" "a" {
  name   = "a"
  note   = "mine"
  tags   = { env = "test" }
  secret = "s"
}
resource "life_thing" "b" {
  for_each = toset(["x", "y"])
  name     = each.key
  note     = life_thing.a.zone
  lifecycle {
    ignore_changes = [note]
  }
}
resource "life_box" "d" {
  name = "d"
  part {
    key = "k"
  }
  rule {
    key = "r"
  }
}
output "zone" {
  value = life_thing.b["x"].zone
}
output "note" {
  value = module.inner[0].note
}
`;

const INNER = `terraform {
  required_providers {
    life = {
      source = "example.com/terrane/life"
    }
  }
}
variable "name" {}
resource "life_thing" "i" {
  name = var.name
}
output "note" {
  value = life_thing.i.note
}
`;

const IDS = ['a-1', 'x-1', 'y-1', 'd-1', 'm0-1', 'm1-1'] as const;

type Mutation =
  | { readonly kind: 'change'; readonly id: string; readonly attributes: Record<string, unknown> }
  | { readonly kind: 'vanish'; readonly id: string }
  | { readonly kind: 'private'; readonly name: string }
  | { readonly kind: 'same'; readonly id: string };

const ids = fc.constantFrom(...IDS);
const value = fc.oneof(fc.constantFrom('mine', 'other', ''), fc.constant(null));
const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.record({
    kind: fc.constant('change' as const),
    id: ids,
    attributes: fc.dictionary(fc.constantFrom('note', 'zone'), value, { minKeys: 1, maxKeys: 2 }),
  }),
  fc.record({
    kind: fc.constant('change' as const),
    id: fc.constant('a-1'),
    attributes: fc.record({ tags: fc.dictionary(fc.constantFrom('env', 'o'), fc.string()) }),
  }),
  fc.record({ kind: fc.constant('vanish' as const), id: ids }),
  fc.record({ kind: fc.constant('private' as const), name: fc.constantFrom('a', 'd') }),
  fc.record({ kind: fc.constant('same' as const), id: ids }),
);

let bench: DriftBench;
const objects = new Map<string, string>();

beforeAll(async () => {
  bench = new DriftBench(MAIN);
  mkdirSync(join(bench.directory, 'inner'));
  bench.write('inner/main.tf', INNER);
  expect((await bench.run('init')).exit).toBe(0);
  await bench.apply();
  for (const id of IDS) objects.set(id, bench.read(`cloud/${id}.json`));
});
afterAll(() => bench.dispose());

function mutate(mutations: readonly Mutation[]): void {
  for (const [id, text] of objects) bench.write(`cloud/${id}.json`, text);
  const control: Record<string, unknown> = {};
  const gone = new Set<string>();
  for (const each of mutations) {
    if (each.kind === 'private') control[each.name] = { read: { private: 'new' } };
    else if (each.kind === 'vanish' && !gone.has(each.id)) {
      bench.vanish(each.id);
      gone.add(each.id);
    } else if (each.kind === 'change' && !gone.has(each.id)) bench.change(each.id, each.attributes);
  }
  bench.write('control.json', JSON.stringify(control));
}

it('reports drift exactly if a refresh-only plan applies something', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(mutation, { maxLength: 4 }), async (mutations) => {
      mutate(mutations);
      const state = readFileSync(join(bench.directory, 'terraform.tfstate'));
      const { report, exit } = await bench.drift('-level=noise');
      expect(report.diagnostics).toEqual([]);
      expect(readFileSync(join(bench.directory, 'terraform.tfstate'))).toEqual(state);
      const calls = bench.calls();
      for (const call of ['plan', 'apply', 'import']) expect(calls.has(call), call).toBe(false);
      const plan = await bench.run('plan', '-refresh-only', '-detailed-exitcode', '-lock=false');
      expect(exit, JSON.stringify(mutations)).toBe(plan.exit);
      // Without an object that an output needs, both fail; the report still has what was found.
      if (plan.exit !== 1) expect(report.entries.length > 0, plan.stdout).toBe(plan.exit === 2);
      expect(report.complete).toBe(plan.exit !== 1);
    }),
    { numRuns: 60, seed: 21 },
  );
});
