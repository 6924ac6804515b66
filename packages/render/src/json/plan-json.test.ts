import { describe, expect, test } from 'vitest';
import { EMPTY_STATE } from '@terrane/engine';
import { readPlan, sections } from '../fixtures/read-plan.ts';
import { configurationOf, recordedPlans, stateOf } from '../fixtures/recorded.ts';
import { planJson } from './plan-json.ts';

describe('the JSON of a plan is Terraform’s, text by text', () => {
  test.each(recordedPlans())('%s', (_name, record) => {
    const configuration = configurationOf(record.files);
    const priorState = record.state === undefined ? EMPTY_STATE : stateOf(record.state).state;
    const plan = readPlan(record, { configuration, priorState });
    const wanted = new Map(sections(record.json));
    const actual = new Map(sections(planJson(plan)));
    // If the refresh changed the state, the recording does not contain the earlier one as a state file.
    if (wanted.get('prior_state') !== record.stateJson) {
      wanted.delete('prior_state');
      actual.delete('prior_state');
    }
    expect([...actual.keys()]).toEqual([...wanted.keys()]);
    for (const [name, text] of wanted) expect([name, actual.get(name)]).toEqual([name, text]);
  });
});
