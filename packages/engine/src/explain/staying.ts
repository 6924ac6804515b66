import { type Path, pathStartsWith } from '@terrane/cty';
import type { Range } from '@terrane/hcl';
import { attributeByPath } from '@terrane/provider';
import type { Resource } from '../config/model.ts';
import { pathOfTraversal } from '../objects/ignore-changes.ts';
import { driftCause } from './drift.ts';
import type { PlanFacts } from './facts.ts';
import type { Cause } from './model.ts';
import { hidden } from './secrets.ts';
import { isOwn, partAs, saidOf, type Subject } from './subject.ts';
import { differingPaths, isSet, partOf } from './values.ts';
import type { Worlds } from './worlds.ts';

/** Why nothing happens to an instance that the plan has looked at. */
export function whyItStays(facts: PlanFacts, worlds: Worlds, subject: Subject): readonly Cause[] {
  const { addr, config, after, resource, schema } = subject;
  const found: Cause[] = [];
  const paths = config === undefined || after.isNull ? [] : differingPaths(after, config);
  for (const path of paths) {
    const given = config === undefined ? undefined : partOf(config, path);
    const ignored = ignoring(resource, path);
    // What is not set is the provider's; what cannot be worked out here says nothing.
    if (given !== undefined && !given.isWhollyKnown()) continue;
    if (!isSet(given) && (ignored === undefined || !isOwn(subject, path))) continue;
    if (attributeByPath(schema.block, path)?.writeOnly === true) continue;
    const said = saidOf(subject, worlds, path);
    const range = ignored ?? (said.kind === 'nothing' ? undefined : said.range);
    const cause: Cause = {
      kind: ignored === undefined ? 'normalised' : 'ignored',
      address: addr.text,
      attribute: path,
      ...(range === undefined ? {} : { range }),
      ...partAs('before', after, path),
      ...(given === undefined ? {} : { after: given }),
      causes: [],
    };
    found.push(hidden(subject, path, cause));
  }
  const drift = facts.drift.get(addr);
  if (drift?.action === 'update') {
    for (const path of differingPaths(drift.before, drift.after))
      found.push(hidden(subject, path, driftCause(facts, drift, path)));
  }
  if (found.length > 0) return found;
  return [{ kind: 'equal', address: addr.text, range: resource.range, causes: [] }];
}

/** The part of `ignore_changes` that covers a path. */
function ignoring(resource: Resource, path: Path): Range | undefined {
  if (resource.ignoreAllChanges) return resource.range;
  for (const traversal of resource.ignoreChanges) {
    const ignored = pathOfTraversal(traversal);
    if (pathStartsWith(path, ignored) || pathStartsWith(ignored, path)) return traversal.range;
  }
  return undefined;
}
