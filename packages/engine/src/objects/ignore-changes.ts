import {
  applyPath,
  attrStep,
  CtyError,
  indexStep,
  map,
  nullOf,
  type Path,
  pathEquals,
  transform,
  type Value,
} from '@terrane/cty';
import type { Traversal } from '@terrane/hcl';
import { attributeByPath, type BlockSchema } from '@terrane/provider';
import type { Resource } from '../config/model.ts';

/**
 * Returns the configuration with the prior values, including marks, of the attributes in `ignore_changes`. Without a
 * prior object no changes are ignored. With `schema` undefined, `ignore_changes = all` returns the prior object itself:
 * that is for the planned value of a legacy provider, not for a configuration.
 */
export function ignoreChanges(
  resource: Pick<Resource, 'ignoreChanges' | 'ignoreAllChanges'>,
  prior: Value,
  config: Value,
  schema: BlockSchema | undefined,
): Value {
  if (prior.isNull || config.isNull) return config;
  if (resource.ignoreAllChanges)
    return schema === undefined ? prior : asConfiguration(prior, schema);
  const ignored = resource.ignoreChanges.flatMap((traversal) =>
    ignoredAt(traversal, prior, config),
  );
  if (ignored.length === 0) return config;
  return transform(config, (path, value) => restore(path, value, ignored));
}

/** Returns a stored object without computed attributes. */
function asConfiguration(prior: Value, schema: BlockSchema): Value {
  return transform(prior, (path, value) => {
    const attribute = attributeByPath(schema, path);
    const onlyComputed = attribute?.computed === true && attribute.optional !== true;
    return onlyComputed ? nullOf(value.type) : value;
  });
}

interface Ignored {
  readonly path: Path;
  /** The prior value at the path. */
  readonly value: Value;
  /** The key within a map at the path, where only that is ignored. */
  readonly key: string | undefined;
}

function ignoredAt(traversal: Traversal, prior: Value, config: Value): Ignored[] {
  const full = pathOfTraversal(traversal);
  const last = full.at(-1);
  const isKey = last?.kind === 'index' && last.key.type.kind === 'string';
  const path = isKey ? full.slice(0, -1) : full;
  const key = isKey ? last.key.asString() : undefined;
  try {
    const before = applyPath(prior, path);
    return before.rawEquals(applyPath(config, path)) ? [] : [{ path, value: before, key }];
  } catch (error) {
    if (error instanceof CtyError) return [];
    throw error;
  }
}

function restore(path: Path, value: Value, ignored: readonly Ignored[]): Value {
  const here = ignored.filter((attribute) => pathEquals(attribute.path, path));
  const [first] = here;
  if (first === undefined) return value;
  if (value.type.kind !== 'map') return first.value;
  // A map that is not known is as the configuration has it, also where changes of all of it are ignored.
  if (!value.isNull && !value.isKnown) return value;
  const entire = here.find((attribute) => attribute.key === undefined);
  if (entire !== undefined) return entire.value;
  return restoreKeys(value, value.type.element, here);
}

function restoreKeys(
  value: Value,
  element: Parameters<typeof map>[0],
  ignored: readonly Ignored[],
): Value {
  const entries = new Map<string, Value>();
  if (!value.isNull) {
    for (const [key, member] of value.unmark().entries()) entries.set(key.asString(), member);
  }
  for (const { value: before, key } of ignored) {
    if (key === undefined) continue;
    const previousValue = before.isNull ? undefined : before.unmark().get(key);
    if (previousValue === undefined) entries.delete(key);
    else entries.set(key, previousValue);
  }
  if (entries.size === 0 && value.isNull) return value;
  return map(element, entries).withMarks(value.marks);
}

/** The steps of a relative traversal as a path into a value. */
export function pathOfTraversal(traversal: Traversal): Path {
  const path = [];
  for (const step of traversal.steps) {
    if (step.kind === 'root' || step.kind === 'attr') path.push(attrStep(step.name));
    else if (step.kind === 'index') path.push(indexStep(step.key));
  }
  return path;
}
