import type { InstanceAddr } from '@terrane/addresses';
import type { Path, Value } from '@terrane/cty';
import { attributeByPath, type Schema } from '@terrane/provider';
import type { Resource } from '../config/model.ts';
import type { PlannedChange } from '../objects/change.ts';
import { withSchemaMarks } from '../objects/stored.ts';
import { argumentAt, type Said } from './argument.ts';
import type { PlanFacts } from './facts.ts';
import type { CauseProperties } from './model.ts';
import { differingPaths, nothingLike, partOf } from './values.ts';
import type { Place, Worlds } from './worlds.ts';

/** What is known of one instance that the configuration declares. */
export interface Subject {
  readonly addr: InstanceAddr;
  readonly change: PlannedChange;
  readonly resource: Resource;
  readonly schema: Schema;
  readonly place: Place;
  /** what the last run left; null where nothing */
  readonly stored: Value;
  /** what was found to be there */
  readonly before: Value;
  readonly after: Value;
  /** what the configuration gives, if that can be told here */
  readonly config: Value | undefined;
}

/** What a change is about; undefined where the configuration declares nothing of it. */
export function subjectOf(
  facts: PlanFacts,
  worlds: Worlds,
  change: PlannedChange,
): Subject | undefined {
  const { addr } = change;
  const resource = facts.resource(addr);
  const schema = facts.schemaOf(change);
  if (resource === undefined || schema === undefined) return undefined;
  const place: Place = {
    module: addr.resource.module,
    within: { of: resource, key: addr.key },
  };
  const before = withSchemaMarks(change.before, schema);
  const after = withSchemaMarks(change.after, schema);
  const stored = facts.stored(addr) ?? nothingLike(before);
  const config = worlds.after.body(resource, schema, place, addr);
  return { addr, change, resource, schema, place, stored, before, after, config };
}

/** Where the configuration says what a part of an object is. */
export function saidOf({ resource, schema, place }: Subject, worlds: Worlds, path: Path): Said {
  return argumentAt(resource.body, schema.block, path, worlds.after.moduleScope(place));
}

/** Where an argument stands, with the `dynamic` blocks around it. */
export function placeOf({ place }: Subject, said: Said): Place {
  return said.kind === 'nothing' ? place : { ...place, generators: said.generators };
}

/** Where the object is to differ from what the last run left, or from what was found. */
export function differencesOf({ before, after, stored }: Subject): readonly Path[] {
  const base = before.isNull ? stored : before;
  if (base.isNull || after.isNull) return [];
  return differingPaths(base, after);
}

/** Whether an attribute is the configuration's to set, so that leaving it out takes its value away. */
export function isOwn({ schema }: Subject, path: Path): boolean {
  const attribute = attributeByPath(schema.block, path);
  return attribute === undefined || attribute.computed !== true;
}

/** The part of a value that a path leads to, as what it was or is in a cause. */
export function partAs(
  name: 'before' | 'after',
  value: Value,
  path: Path,
): Partial<Pick<CauseProperties, 'before' | 'after'>> {
  const found = partOf(value, path);
  return found === undefined ? {} : { [name]: found };
}
