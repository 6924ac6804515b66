import { describe, expect, test } from 'vitest';
import { parseJson } from '@terrane/cty';
import { readSchemas } from '../json/read-schemas-json.ts';
import { recordedPlans, stateOf } from '../fixtures/recorded.ts';
import { outputsJson } from '../json/outputs-json.ts';
import { stateJson } from '../json/state-json.ts';
import { stateText } from './state-text.ts';

const withState = recordedPlans().filter(([, record]) => record.state !== undefined);

describe('a state is shown as Terraform shows it', () => {
  test.each(withState)('%s', (_name, record) => {
    const file = stateOf(record.state ?? '');
    const schemas = readSchemas(parseJson(JSON.stringify(record.schemas)));
    expect(stateText(file.state, schemas, { color: false, width: 78 })).toBe(record.stateText);
    expect(stateText(file.state, schemas, { color: true, width: 78 })).toBe(record.stateColor);
    expect(stateJson(file, schemas)).toBe(record.stateJson);
    expect(outputsJson(file.state.outputs)).toBe(record.outputs);
  });
});
