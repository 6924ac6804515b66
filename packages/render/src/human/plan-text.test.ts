import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readPlan, type RecordedPlan } from '../fixtures/read-plan.ts';
import { recordedPlans, withoutConfiguration } from '../fixtures/recorded.ts';
import { planText } from './plan-text.ts';

describe('a plan is shown as Terraform shows it', () => {
  test.each(recordedPlans())('%s', (_name, record) => {
    const plan = readPlan(record, withoutConfiguration());
    expect(planText(plan, { color: false, width: 78 })).toBe(record.text);
    expect(planText(plan, { color: true, width: 78 })).toBe(record.color);
  });
});

type Shape = Pick<RecordedPlan, 'mode' | 'json' | 'schemas' | 'text'> & { readonly color: boolean };

const shapes = JSON.parse(
  readFileSync(new URL('../fixtures/shapes.json', import.meta.url), 'utf8'),
) as readonly Shape[];

describe('objects of any shape are shown as Terraform shows them', () => {
  test.each(shapes)('%#', (shape) => {
    const plan = readPlan(shape, withoutConfiguration());
    expect(planText(plan, { color: shape.color, width: 78 })).toBe(shape.text);
  });
});

describe('a plan of many objects', () => {
  const [, record] = recordedPlans().find(([name]) => name === 'update-text') ?? [];
  if (record === undefined) throw new Error('the record is missing');
  const plan = readPlan(record, withoutConfiguration());

  test('drift is only shown where the plan does something', () => {
    const quiet = { ...plan, changes: [], drift: plan.changes };
    expect(planText(quiet, { color: false, width: 78 })).toMatch(/^\nNo changes\./);
    expect(planText({ ...quiet, mode: 'refresh-only' }, { color: false, width: 78 })).toMatch(
      /^\nNote: Objects have changed outside of Terraform\n/,
    );
  });

  test('an errored plan without changes says so', () => {
    const failed = { ...plan, changes: [], errored: true };
    expect(planText(failed, { color: false, width: 78 })).toBe(
      '\nPlanning failed. Terraform encountered an error while generating this plan.\n\n',
    );
  });

  test('without a width nothing is wrapped', () => {
    expect(planText(plan, { color: false, width: 0 })).toContain(
      'Terraform used the selected providers to generate the following execution plan. Resource actions are indicated with the following symbols:\n',
    );
  });
});
