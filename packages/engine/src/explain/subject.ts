import type { InstanceAddr } from '@terrane/addresses';
import type { Path, Value } from '@terrane/cty';
import { attributeByPath, type Schema } from '@terrane/provider';
import type { Resource } from '../config/model.ts';
import type { PlannedChange } from '../objects/change.ts';
import { withSchemaMarks } from '../objects/stored.ts';
import { argumentAt, type Definition } from './argument.ts';
import type { PlanFacts } from './facts.ts';
import type { CauseProperties } from './model.ts';
import { differingPaths, nothingLike, partOf } from './values.ts';
import type { Place, Worlds } from './worlds.ts';

/** An instance that the configuration declares, with its planned change. */
export interface Subject {
  readonly addr: InstanceAddr;
  readonly change: PlannedChange;
  readonly resource: Resource;
  readonly schema: Schema;
  readonly place: Place;
  /** the object as the last run stored it; null without one */
  readonly stored: Value;
  /** the object after the refresh */
  readonly before: Value;
  readonly after: Value;
  /** the evaluated configuration; undefined if it cannot be evaluated */
  readonly config: Value | undefined;
}

/** Returns the subject of a change; undefined if the configuration does not declare the instance. */
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
    within: { repeatable: resource, key: addr.key },
  };
  const before = withSchemaMarks(change.before, schema);
  const after = withSchemaMarks(change.after, schema);
  const stored = facts.stored(addr) ?? nothingLike(before);
  const config = worlds.after.body(resource, schema, place, addr);
  return { addr, change, resource, schema, place, stored, before, after, config };
}

/** Returns the definition of a part of an object in the configuration. */
export function definitionOf(
  { resource, schema, place }: Subject,
  worlds: Worlds,
  path: Path,
): Definition {
  return argumentAt(resource.body, schema.block, path, worlds.after.moduleScope(place));
}

/** Returns the location of a definition, with the enclosing `dynamic` blocks. */
export function placeOf({ place }: Subject, definition: Definition): Place {
  return definition.kind === 'nothing' ? place : { ...place, generators: definition.generators };
}

/** Returns the paths at which the planned object differs from the refreshed or the stored one. */
export function differencesOf({ before, after, stored }: Subject): readonly Path[] {
  const base = before.isNull ? stored : before;
  if (base.isNull || after.isNull) return [];
  return differingPaths(base, after);
}

/** Returns whether an attribute is not computed, so that removing its argument removes its value. */
export function isOwn({ schema }: Subject, path: Path): boolean {
  const attribute = attributeByPath(schema.block, path);
  return attribute === undefined || attribute.computed !== true;
}

/** Returns the part of a value at a path as the property `before` or `after` of a cause. */
export function partAs(
  name: 'before' | 'after',
  value: Value,
  path: Path,
): Partial<Pick<CauseProperties, 'before' | 'after'>> {
  const part = partOf(value, path);
  return part === undefined ? {} : { [name]: part };
}
