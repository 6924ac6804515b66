import { describe, expect, test } from 'vitest';
import { readPlan } from '../fixtures/read-plan.ts';
import { recordedPlans, withoutConfiguration } from '../fixtures/recorded.ts';
import { planText } from './plan-text.ts';

describe('a plan is shown as Terraform shows it', () => {
  test.each(recordedPlans())('%s', (_name, record) => {
    const plan = readPlan(record, withoutConfiguration());
    expect(planText(plan, { color: false, width: 78 })).toBe(record.text);
    expect(planText(plan, { color: true, width: 78 })).toBe(record.color);
  });
});
