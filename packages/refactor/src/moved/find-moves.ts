import type { AbsResource, InstanceAddr, ModuleInstance } from '@terrane/addresses';
import type { Plan, PlannedChange } from '@terrane/engine';
import { compareObjects, knownSignature } from './compare-objects.ts';

/** A deletion and a creation that may be about the same object. */
export interface MovePair {
  readonly from: InstanceAddr;
  readonly to: InstanceAddr;
  /** attributes with equal known values other than null */
  readonly equal: readonly string[];
  /** attributes with different known values; empty for identical objects */
  readonly different: readonly string[];
}

/** The pairs of a plan. */
export interface FoundMoves {
  /** identical objects without another candidate */
  readonly certain: readonly MovePair[];
  /** similar objects, and objects with several candidates: only shown */
  readonly possible: readonly (MovePair & { readonly reason: 'different' | 'ambiguous' })[];
}

/** The maximum number of comparisons for similar objects, which are only shown. */
const MAX_SIMILAR = 10_000;

interface Candidate {
  readonly deleted: PlannedChange;
  readonly created: PlannedChange;
  readonly pair: MovePair;
}

/**
 * Finds deletions and creations of a plan that describe the same object: the same type and provider, and equal values
 * wherever the planned value is known. Several candidates are told apart by their instance key, name and module.
 */
export function findMoves(plan: Plan): FoundMoves {
  const buckets = new Map<string, { deleted: PlannedChange[]; created: PlannedChange[] }>();
  for (const change of plan.changes) {
    if (change.deposed !== undefined || change.importing !== undefined) continue;
    if (change.addr.resource.resource.mode !== 'managed') continue;
    if (change.action !== 'delete' && change.action !== 'create') continue;
    const { type } = change.addr.resource.resource;
    const key = `${type} ${change.provider.provider.text}`;
    const bucket = buckets.get(key) ?? { deleted: [], created: [] };
    buckets.set(key, bucket);
    (change.action === 'delete' ? bucket.deleted : bucket.created).push(change);
  }
  const certain: MovePair[] = [];
  const possible: (MovePair & { readonly reason: 'different' | 'ambiguous' })[] = [];
  for (const { deleted, created } of buckets.values()) {
    if (deleted.length === 0 || created.length === 0) continue;
    const candidates = identicalPairs(deleted, created);
    const chosen = unambiguous(candidates);
    certain.push(...chosen.map(({ pair }) => pair));
    const usedFrom = new Set(chosen.map(({ deleted: each }) => each));
    const usedTo = new Set(chosen.map(({ created: each }) => each));
    const open = candidates.filter(
      ({ deleted: from, created: to }) => !usedFrom.has(from) && !usedTo.has(to),
    );
    possible.push(...open.map(({ pair }) => ({ ...pair, reason: 'ambiguous' as const })));
    const ambiguous = new Set(open.flatMap((each) => [each.deleted, each.created]));
    const isOpen = (used: ReadonlySet<PlannedChange>) => (each: PlannedChange) =>
      !used.has(each) && !ambiguous.has(each);
    possible.push(
      ...similarPairs(deleted.filter(isOpen(usedFrom)), created.filter(isOpen(usedTo))),
    );
  }
  return { certain, possible };
}

/** Returns all pairs with equal known values, by a table of the values that creations have in common. */
function identicalPairs(
  deleted: readonly PlannedChange[],
  created: readonly PlannedChange[],
): readonly Candidate[] {
  const tables = new Map<string, ReadonlyMap<string, readonly PlannedChange[]>>();
  const pairs: Candidate[] = [];
  for (const creation of created) {
    const signature = knownSignature(creation.after);
    const shape = signature.names.join(' ');
    const table = tables.get(shape) ?? groupBy(deleted, ({ before }) => signature.of(before));
    tables.set(shape, table);
    for (const deletion of table.get(signature.of(creation.after)) ?? []) {
      const pair = pairOf(deletion, creation);
      // Objects without any known value would match everything.
      if (pair.different.length > 0 || pair.equal.length === 0) continue;
      pairs.push({ deleted: deletion, created: creation, pair });
    }
  }
  return pairs;
}

function similarPairs(
  deleted: readonly PlannedChange[],
  created: readonly PlannedChange[],
): readonly (MovePair & { readonly reason: 'different' })[] {
  if (deleted.length * created.length > MAX_SIMILAR) return [];
  return created.flatMap((creation) => {
    let best: MovePair | undefined;
    for (const deletion of deleted) {
      const pair = pairOf(deletion, creation);
      const isSimilar = pair.equal.length > 0 && pair.equal.length >= pair.different.length;
      if (isSimilar && (best === undefined || pair.different.length < best.different.length)) {
        best = pair;
      }
    }
    return best === undefined ? [] : [{ ...best, reason: 'different' as const }];
  });
}

function pairOf(deletion: PlannedChange, creation: PlannedChange): MovePair {
  return {
    from: deletion.addr,
    to: creation.addr,
    ...compareObjects(creation.after, deletion.before),
  };
}

/** Selects the pairs whose deletion and creation have each other as their only best candidate. */
function unambiguous(candidates: readonly Candidate[]): readonly Candidate[] {
  const best = (group: readonly Candidate[]): Candidate | undefined => {
    const scores = group.map(affinity);
    const highest = Math.max(...scores);
    const winners = group.filter((_, at) => scores[at] === highest);
    return winners.length === 1 ? winners[0] : undefined;
  };
  const byDeletion = groupBy(candidates, ({ deleted }) => deleted.addr.text);
  const byCreation = groupBy(candidates, ({ created }) => created.addr.text);
  return [...byDeletion.values()].flatMap((group) => {
    const winner = best(group);
    if (winner === undefined) return [];
    return best(byCreation.get(winner.created.addr.text) ?? []) === winner ? [winner] : [];
  });
}

/** The number of parts of their addresses that a deletion and a creation have in common. */
function affinity({ deleted, created }: Candidate): number {
  const [from, to] = [deleted.addr, created.addr];
  return (
    (from.key === to.key ? 4 : 0) +
    (from.resource.resource === to.resource.resource ? 2 : 0) +
    (from.resource.module === to.resource.module ? 1 : 0)
  );
}

/** A `moved` block: two addresses. */
export interface Move {
  readonly from: string;
  readonly to: string;
  readonly pairs: readonly MovePair[];
}

/**
 * Joins pairs to moves of whole resources and modules, where all instances with the same keys move together. `plan` is
 * the plan of the pairs.
 */
export function joinMoves(pairs: readonly MovePair[], plan: Plan): readonly Move[] {
  const stored = new Map<AbsResource, number>();
  for (const addr of plan.previousState.managedInstances()) {
    stored.set(addr.resource, (stored.get(addr.resource) ?? 0) + 1);
  }
  const planned = new Map<AbsResource, number>();
  for (const { addr, action } of plan.changes) {
    if (action !== 'delete') planned.set(addr.resource, (planned.get(addr.resource) ?? 0) + 1);
  }
  const resources = groupBy(pairs, ({ from, to }) => `${from.resource.text} ${to.resource.text}`);
  const moves: Move[] = [];
  const resourceMoves: { from: AbsResource; to: AbsResource; pairs: readonly MovePair[] }[] = [];
  for (const group of resources.values()) {
    const [first] = group;
    if (first === undefined) continue;
    const [from, to] = [first.from.resource, first.to.resource];
    const isWhole =
      group.length === stored.get(from) &&
      group.length === planned.get(to) &&
      group.every((pair) => pair.from.key === pair.to.key);
    if (isWhole) resourceMoves.push({ from, to, pairs: group });
    else {
      for (const pair of group)
        moves.push({ from: pair.from.text, to: pair.to.text, pairs: [pair] });
    }
  }
  const modules = groupBy(resourceMoves, ({ from, to }) => `${from.module.text} ${to.module.text}`);
  for (const group of modules.values()) {
    const [first] = group;
    if (first === undefined) continue;
    const [from, to] = [first.from.module, first.to.module];
    const isModule =
      from !== to &&
      !from.isRoot &&
      !to.isRoot &&
      group.every((each) => each.from.resource === each.to.resource) &&
      resourcesIn(stored, from) === group.length &&
      resourcesIn(planned, to) === group.length;
    if (isModule) {
      moves.push({ from: from.text, to: to.text, pairs: group.flatMap((each) => each.pairs) });
    } else {
      for (const each of group) {
        moves.push({ from: each.from.text, to: each.to.text, pairs: each.pairs });
      }
    }
  }
  return moves.sort((a, b) => (a.to < b.to ? -1 : a.to > b.to ? 1 : 0));
}

function resourcesIn(resources: ReadonlyMap<AbsResource, number>, module: ModuleInstance): number {
  return [...resources.keys()].filter(
    (each) => each.module === module || each.module.text.startsWith(`${module.text}.`),
  ).length;
}

function groupBy<T>(values: readonly T[], keyOf: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return groups;
}
