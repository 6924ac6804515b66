import { provider } from '@terrane/provider-aws';
import { memoryHost } from '@terrane/testkit';
import { describe, expect, it } from 'vitest';
import { type Lived, livesIn, STEPS } from './lives.ts';

const lives = livesIn(import.meta.dirname);

/** Returns a row of the table: each step exists or has a reason for its absence. */
function row({ steps, reasons }: Lived): readonly string[] {
  return STEPS.map((step) => {
    const reason = reasons.get(step);
    if (steps.has(step)) return reason === undefined ? 'yes' : `yes, but ${reason}`;
    return reason === undefined ? `no ${step}, and no reason` : 'a reason';
  });
}

describe('lives of resource types of AWS', async () => {
  const schema = await provider.create(memoryHost()).schema();
  const types = Object.keys(schema.resources);

  it('are there for every type', () => {
    expect([...lives.keys()].toSorted()).toEqual(types.toSorted());
  });

  it.each(types)('are complete, or state the reason: %s', (type) => {
    const lived = lives.get(type) ?? { steps: new Set(), reasons: new Map() };
    for (const cell of row(lived)) expect(cell).toMatch(/^(yes|a reason)$/);
  });
});
