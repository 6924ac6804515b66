// Compares the text of Terrane with that of Terraform, except for intended differences.
import { describe, expect, it } from 'vitest';
import { acceptedDifferences, humanDifferences, humanNames } from './human.ts';
import { findTerrane } from './program.ts';

describe.concurrent('Terrane prints what Terraform was recorded to print', () => {
  it.each(humanNames())('%s', async (name) => {
    expect(await humanDifferences(findTerrane(), name)).toBe(acceptedDifferences(name));
  });
});
