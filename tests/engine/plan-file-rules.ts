import {
  decodePlanFile,
  encodePlanFile,
  type Plan,
  type PlannedChange,
  sameState,
} from '@terrane/engine';
import { expect } from 'vitest';

const ORIGIN = { workspace: 'default', backend: 'local', lineage: 'l', serial: 4 };

/** The plan that comes back from a file, after a look at whether it is the one that went in. */
export function throughFile(plan: Plan): Plan {
  const bytes = encodePlanFile(plan, ORIGIN);
  const { plan: decoded, origin, files } = decodePlanFile(bytes);
  expect(origin).toEqual(ORIGIN);
  const {
    mode,
    timestamp,
    applyable,
    complete,
    errored,
    targets,
    replace,
    terraformVersion,
    checks,
    steps,
    relevant,
  } = plan;
  expect(decoded).toMatchObject({
    mode,
    timestamp,
    applyable,
    complete,
    errored,
    targets,
    replace,
    terraformVersion,
    checks,
    steps,
    relevant,
  });
  compareChanges(decoded.changes, plan.changes);
  compareChanges(decoded.drift, plan.drift);
  expect(sameState(decoded.priorState, plan.priorState)).toBe(true);
  expect(sameState(decoded.previousState, plan.previousState)).toBe(true);
  expect(decoded.adopted.map((event) => event.kind)).toEqual(
    plan.adopted.map((event) => event.kind),
  );
  expect(
    decoded.outputs.map(({ name, action, sensitive }) => ({ name, action, sensitive })),
  ).toEqual(plan.outputs.map(({ name, action, sensitive }) => ({ name, action, sensitive })));
  for (const [index, output] of plan.outputs.entries()) {
    expect(decoded.outputs[index]?.before.rawEquals(output.before)).toBe(true);
    expect(decoded.outputs[index]?.after.rawEquals(output.after)).toBe(true);
  }
  expect([...decoded.variables.keys()]).toEqual([...plan.variables.keys()]);
  for (const [name, value] of plan.variables)
    expect(decoded.variables.get(name)?.rawEquals(value)).toBe(true);
  for (const [name, { text }] of plan.configuration.sources) {
    expect(Buffer.from(files.readFileSync(name)).toString()).toBe(text);
  }
  const again: Plan = { ...plan, ...decoded };
  expect(Buffer.compare(encodePlanFile(again, ORIGIN), bytes)).toBe(0);
  return again;
}

function compareChanges(
  actual: readonly PlannedChange[],
  expected: readonly PlannedChange[],
): void {
  const plain = ({ before: _before, after: _after, ...rest }: PlannedChange): object => rest;
  expect(actual.map(plain)).toEqual(expected.map(plain));
  for (const [index, { addr, before, after }] of expected.entries()) {
    // Addresses are the same objects, so that maps by address find them.
    expect(actual[index]?.addr).toBe(addr);
    expect(actual[index]?.before.rawEquals(before), `${addr.text} before`).toBe(true);
    expect(actual[index]?.after.rawEquals(after), `${addr.text} after`).toBe(true);
  }
}
