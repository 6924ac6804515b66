import { describe, expect, test } from 'vitest';
import { readPlan } from '../fixtures/read-plan.ts';
import { recordedPlans, withoutConfiguration } from '../fixtures/recorded.ts';
import { planSummaryText } from './plan-summary.ts';
import { planText } from './plan-text.ts';

const plain = { color: false, width: 78 };

function recorded(name: string): ReturnType<typeof readPlan> {
  const [, record] = recordedPlans().find(([each]) => each === name) ?? [];
  if (record === undefined) throw new Error(`no record ${name}`);
  return readPlan(record, withoutConfiguration());
}

describe('a plan in short', () => {
  test.each(recordedPlans())(
    '%s: counts as the whole plan does, and shows no values',
    (_, record) => {
      const plan = readPlan(record, withoutConfiguration());
      const count = /^Plan: .*$/m.exec(planText(plan, plain))?.[0];
      const summary = planSummaryText(plan, plain);
      if (count !== undefined) expect(summary).toContain(count);
      expect(summary).not.toMatch(/ = |->/);
    },
  );

  test('without changes it equals the text of the complete plan', () => {
    const plan = recorded('no-changes');
    expect(planSummaryText(plan, plain)).toBe(planText(plan, plain));
  });

  test('objects are grouped by module and action', () => {
    expect(planSummaryText(recorded('delete-reasons'), plain)).toMatchInlineSnapshot(`
      "
      Planned changes, by module:

        root module
          + create (3)
              terraform_data.single[1]
              terraform_data.to_each["k"]
              terraform_data.to_single
          - destroy (7)
              terraform_data.count[1], [2]
              terraform_data.each["b<"]
              terraform_data.gone
              terraform_data.to_each[0], [1]
              terraform_data.to_single["k"]
            move or import, without changes (1)
              terraform_data.single[0] (moved from terraform_data.single)

        module.child
          - destroy (2)
              terraform_data.inner["x y"], ["z"]

        module.counted[1]
          - destroy (2)
              terraform_data.inner["x y"], ["z"]

      Plan: 3 to add, 0 to change, 11 to destroy.
      "
    `);
    expect(planSummaryText(recorded('moved'), plain)).toMatchInlineSnapshot(`
      "
      Planned changes, by module:

        root module
          ~ update in-place (1)
              terraform_data.new_changed (moved from terraform_data.old_changed)
            move or import, without changes (2)
              terraform_data.new (moved from terraform_data.old)
              terraform_data.single[0] (moved from terraform_data.single)

        module.new
            move or import, without changes (1)
              terraform_data.inner (moved from module.old.terraform_data.inner)

      Plan: 0 to add, 1 to change, 0 to destroy.
      "
    `);
    expect(planSummaryText(recorded('drift-changed'), plain)).toMatchInlineSnapshot(`
      "
      Planned changes, by module:

        root module
          + create (1)
              terraform_data.user
          ~ update in-place (1)
              tls_self_signed_cert.c

      Plan: 1 to add, 1 to change, 0 to destroy.
      "
    `);
    expect(planSummaryText(recorded('outputs-only'), plain)).toMatchInlineSnapshot(`
      "
      Changes to Outputs:
        + a_very_long_name-with-dashes
        ~ changes
        + empty
        - gone
        + hidden
        + json
        ~ kind
        + new
      "
    `);
  });

  test('instances of one resource share a line as long as there is room', () => {
    const plan = recorded('create-simple');
    const [change] = plan.changes;
    if (change === undefined) throw new Error('no change');
    const instances = Array.from({ length: 200 }, (_, i) => {
      const addr = change.addr.resource.instance(i);
      return { ...change, addr, previousAddr: addr };
    });
    const summary = planSummaryText({ ...plan, changes: instances, outputs: [] }, plain);
    expect(summary).toMatch(
      /create \(200\)\n {8}terraform_data\.\w+\[0\], \[1\], .* and \d+ more\n/,
    );
    for (const line of summary.split('\n')) expect(line.length).toBeLessThanOrEqual(78);
  });
});
