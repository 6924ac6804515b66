import { type Path, pathStartsWith } from '@terrane/cty';
import type { Range } from '@terrane/hcl';
import { attributeByPath } from '@terrane/provider';
import type { Resource } from '../config/model.ts';
import { pathOfTraversal } from '../objects/ignore-changes.ts';
import { driftCause } from './drift.ts';
import type { PlanFacts } from './facts.ts';
import type { Cause } from './model.ts';
import { hideSecrets } from './secrets.ts';
import { isOwn, partAs, definitionOf, type Subject } from './subject.ts';
import { differingPaths, isSet, partOf } from './values.ts';
import type { Worlds } from './worlds.ts';

/** Returns the reasons why a planned instance has no change. */
export function whyItStays(facts: PlanFacts, worlds: Worlds, subject: Subject): readonly Cause[] {
  const { addr, config, after, resource, schema } = subject;
  const causes: Cause[] = [];
  const paths = config === undefined || after.isNull ? [] : differingPaths(after, config);
  for (const path of paths) {
    const configured = config === undefined ? undefined : partOf(config, path);
    const ignored = ignoring(resource, path);
    // Attributes that are not set are managed by the provider; unknown ones cannot be compared.
    if (configured !== undefined && !configured.isWhollyKnown()) continue;
    if (!isSet(configured) && (ignored === undefined || !isOwn(subject, path))) continue;
    if (attributeByPath(schema.block, path)?.writeOnly === true) continue;
    const definition = definitionOf(subject, worlds, path);
    const range = ignored ?? (definition.kind === 'nothing' ? undefined : definition.range);
    const cause: Cause = {
      kind: ignored === undefined ? 'normalised' : 'ignored',
      address: addr.text,
      attribute: path,
      ...(range === undefined ? {} : { range }),
      ...partAs('before', after, path),
      ...(configured === undefined ? {} : { after: configured }),
      causes: [],
    };
    causes.push(hideSecrets(subject, path, cause));
  }
  const drift = facts.drift.get(addr);
  if (drift?.action === 'update') {
    for (const path of differingPaths(drift.before, drift.after))
      causes.push(hideSecrets(subject, path, driftCause(facts, drift, path)));
  }
  if (causes.length > 0) return causes;
  return [{ kind: 'equal', address: addr.text, range: resource.range, causes: [] }];
}

/** Returns the entry of `ignore_changes` that covers a path. */
function ignoring(resource: Resource, path: Path): Range | undefined {
  if (resource.ignoreAllChanges) return resource.range;
  for (const traversal of resource.ignoreChanges) {
    const ignored = pathOfTraversal(traversal);
    if (pathStartsWith(path, ignored) || pathStartsWith(ignored, path)) return traversal.range;
  }
  return undefined;
}
