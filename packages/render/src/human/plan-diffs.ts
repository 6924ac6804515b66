import { Bug, type Value } from '@terrane/cty';
import type { OutputChange, Plan, PlannedChange } from '@terrane/engine';
import type { BlockSchema } from '@terrane/provider';
import { outputDiff } from '../diff/attribute-diff.ts';
import { blockDiff } from '../diff/block-diff.ts';
import { asNoOp, wholeChange } from '../diff/change.ts';
import type { Diff } from '../diff/diff.ts';
import { EVERYWHERE, type Matcher, matcherOf, NOWHERE } from '../diff/matcher.ts';
import { plainValue, sensitiveFlags, unknownFlags } from '../diff/plain.ts';
import { withSchemaMarks } from '../diff/schema-marks.ts';
import { isDeletedData } from './plan-counts.ts';
import type { ShownPlan } from './shown-plan.ts';

/** A change and its computed diff. */
export interface ChangeDiff {
  readonly change: PlannedChange;
  readonly diff: Diff;
}

/** Returns the schema of a changed object. */
export function schemaBlock(plan: ShownPlan, change: PlannedChange): BlockSchema {
  const { resource } = change.addr.resource;
  const schema = plan.schemas.resource(change.provider.provider, resource.mode, resource.type);
  if (schema === undefined) throw new Bug(`no schema for ${change.addr.text}`);
  return schema.block;
}

/** Computes the diff of a change, of the relevant attributes only. */
export function changeDiff(
  plan: ShownPlan,
  change: PlannedChange,
  relevant: Matcher = EVERYWHERE,
): ChangeDiff {
  const block = schemaBlock(plan, change);
  const before = withSchemaMarks(change.before, block);
  const after = withSchemaMarks(change.after, block);
  const objectChange = changeOf(before, after, {
    replace: matcherOf(change.requiredReplace, false),
    relevant,
  });
  // A forgotten object continues to exist: its values must not look removed.
  const displayedChange = change.action === 'forget' ? asNoOp(objectChange) : objectChange;
  return { change, diff: blockDiff(displayedChange, block) };
}

/** Returns everything that changed outside of Terraform. */
export function allDrift(plan: ShownPlan): readonly ChangeDiff[] {
  return plan.drift
    .filter((change) => !isDeletedData(change))
    .map((change) => changeDiff(plan, change));
}

/** Returns the outside changes that may have affected the plan. */
export function relevantDrift(plan: ShownPlan): readonly ChangeDiff[] {
  if (plan.drift.length === 0) return [];
  const paths = new Map<string, Plan['relevant'][number]['attribute'][]>();
  for (const { resource, attribute } of plan.relevant) {
    const attributesOfResource = paths.get(resource);
    if (attributesOfResource === undefined) paths.set(resource, [attribute]);
    else attributesOfResource.push(attribute);
  }
  const unconditional = paths.get('') ?? [];
  const result: ChangeDiff[] = [];
  for (const change of plan.drift) {
    if (change.action === 'no-op' || isDeletedData(change)) continue;
    const relevant = [...unconditional, ...(paths.get(change.addr.text) ?? [])];
    if (relevant.length === 0) continue;
    const drift = changeDiff(plan, change, matcherOf(relevant, true));
    if (drift.diff.action !== 'no-op') result.push(drift);
  }
  return result;
}

/** Compares two values with the marks that a diff shows. */
export function changeOf(
  before: Value,
  after: Value,
  paths: { readonly replace?: Matcher; readonly relevant?: Matcher },
): ReturnType<typeof wholeChange> {
  return wholeChange(plainValue(before), plainValue(after), {
    unknown: unknownFlags(after),
    beforeSensitive: sensitiveFlags(before),
    afterSensitive: sensitiveFlags(after),
    replace: paths.replace ?? NOWHERE,
    relevant: paths.relevant ?? EVERYWHERE,
  });
}

/** Returns the diff of an output, whose sensitivity a plan stores only for the whole value. */
export function diffOfOutput(output: OutputChange): Diff {
  return outputDiff(
    wholeChange(plainValue(output.before), plainValue(output.after), {
      unknown: unknownFlags(output.after),
      beforeSensitive: output.sensitive,
      afterSensitive: output.sensitive,
    }),
  );
}
