import { type Expected, type ExpectedAttributes, mismatch, textOf } from './expected.ts';
import { AcceptanceFailure } from './failure.ts';
import type { Snapshot } from './test-case.ts';

/** Throws if the state is not as expected. */
export function checkState(
  { objects, outputs }: Snapshot,
  expected: {
    readonly state?: { readonly [address: string]: ExpectedAttributes | null } | undefined;
    readonly outputs?: { readonly [name: string]: Expected } | undefined;
  },
): void {
  const problems: string[] = [];
  for (const [address, wanted] of Object.entries(expected.state ?? {})) {
    const attributes = objects.get(address);
    if (wanted === null) {
      if (attributes !== undefined) problems.push(`${address} should not be in the state`);
    } else if (attributes === undefined) {
      const existing = [...objects.keys()].join(', ') || 'nothing';
      problems.push(`${address} is not in the state, which has ${existing}`);
    } else {
      // All attributes are reported together, because a run of an acceptance test is slow.
      for (const [name, part] of Object.entries(wanted)) {
        const value = attributes[name];
        const difference =
          value === undefined
            ? `${name} does not exist, expected ${textOf(part)}`
            : mismatch(part, value, name);
        if (difference !== undefined) problems.push(`${address}: ${difference}`);
      }
    }
  }
  for (const [name, wanted] of Object.entries(expected.outputs ?? {})) {
    const value = outputs.get(name);
    const difference =
      value === undefined
        ? `there is no output ${name}`
        : mismatch(wanted, value, `output ${name}`);
    if (difference !== undefined) problems.push(difference);
  }
  if (problems.length > 0) {
    throw new AcceptanceFailure(
      `the state is not as expected\n${problems.map((each) => `  - ${each}`).join('\n')}`,
    );
  }
}
