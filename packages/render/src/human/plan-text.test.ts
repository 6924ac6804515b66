import { NULL, TRUE } from '@terrane/cty';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readPlan, type RecordedPlan } from '../fixtures/read-plan.ts';
import { configurationOf, recordedPlans, withoutConfiguration } from '../fixtures/recorded.ts';
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

describe('on a terminal', () => {
  const [, record] = recordedPlans().find(([name]) => name === 'create-simple') ?? [];
  if (record === undefined) throw new Error('the record is missing');
  const plan = readPlan(record, {
    ...withoutConfiguration(),
    configuration: configurationOf(record.files),
  });

  test('addresses are links to where their resources are declared', () => {
    const link = (filename: string, line: number): string => `file:///${filename}#${line}`;
    const text = planText(plan, { color: true, width: 78, link });
    expect(text).toContain(
      '  # \u001b]8;;file:///main.tf#6\u001b\\terraform_data.none\u001b]8;;\u001b\\\u001b[0m will be created',
    );
    // Apart from links it is the same.
    // oxlint-disable-next-line no-control-regex
    expect(text.replace(/\u001b\]8;;[^\u001b]*\u001b\\/g, '')).toBe(record.color);
  });

  test('names are aligned by the columns that they take', () => {
    const outputs = ['出力', 'long_name'].map((name) => ({
      name,
      action: 'create' as const,
      before: NULL,
      after: TRUE,
      sensitive: false,
    }));
    const lines = (terminal: boolean): readonly string[] =>
      planText({ ...plan, changes: [], outputs }, { color: false, width: 78, terminal })
        .split('\n')
        .filter((line) => line.startsWith('  + '));
    expect(lines(false)).toEqual(['  + 出力        = true', '  + long_name = true']);
    expect(lines(true)).toEqual(['  + 出力      = true', '  + long_name = true']);
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

  test('an errored plan without changes is reported', () => {
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
