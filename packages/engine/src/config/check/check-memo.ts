import type { Value } from '@terrane/cty';
import type { Diagnostic, Source } from '@terrane/hcl';
import type { Configuration, Schemas } from '../model.ts';
import { changedNames } from './changed-names.ts';

/** The kept outcome of a declaration. */
export interface KeptOutcome {
  /** the objects that the declaration consists of; others mean that it changed */
  readonly parts: readonly unknown[];
  /** the keys of the declarations that must be valid before */
  readonly after: readonly string[];
  readonly failed: boolean;
  readonly diagnostics: readonly Diagnostic[];
  /** the value that dependents see */
  readonly value: Value | undefined;
  /** false if the outcome depends on more than parts and dependencies, such as files */
  readonly isReusable: boolean;
}

/** An order in which declarations can be checked. */
export interface CheckOrder {
  /** keys of the declarations */
  readonly keys: readonly string[];
  /** by declaration, the indices of those that must be valid before */
  readonly edges: readonly (readonly number[])[];
  readonly order: Uint32Array;
}

/** Calls that were made, for tests of the cost of a change. */
export interface CheckCounts {
  /** declarations whose expressions were evaluated */
  readonly checked: number;
  /** evaluation orders of the configuration that were built */
  readonly built: number;
}

/**
 * Outcomes of the declarations of a configuration, for callers that validate it again after each change of a file. An
 * outcome is reused if the declaration is the same object, no name that it refers to was declared, removed or changed in
 * its shape, and its dependencies have the same outcome and value. Outcomes become the kept ones when a validation is
 * complete: an abandoned one changes nothing.
 *
 * One memo serves one configuration with unchanged settings. Outcomes that depend on the content of other files are not
 * kept.
 */
export class CheckMemo {
  #kept: ReadonlyMap<string, KeptOutcome> = new Map();
  #configuration: Configuration | undefined;
  #schemas: Schemas | undefined;
  #order: CheckOrder | undefined;
  #checked = 0;
  #built = 0;
  #reads = 0;

  get counts(): CheckCounts {
    return { checked: this.#checked, built: this.#built };
  }

  /** Begins a validation. */
  begin(configuration: Configuration, schemas: Schemas): MemoRun {
    const names =
      this.#configuration === undefined || this.#schemas !== schemas
        ? undefined
        : changedNames(this.#configuration, configuration);
    const next = new Map<string, KeptOutcome>();
    return {
      names: names ?? NONE,
      previous: names === undefined ? new Map() : this.#kept,
      previousOrder: names === undefined ? undefined : this.#order,
      next,
      commit: (order) => {
        this.#kept = next;
        this.#order = order;
        this.#configuration = configuration;
        this.#schemas = schemas;
      },
      countCheck: () => void this.#checked++,
      countBuild: () => void this.#built++,
      reads: () => this.#reads,
    };
  }

  /** Returns files that note each access, so that outcomes which depend on files are not kept. */
  observe<F extends object>(files: F): F {
    return new Proxy(files, {
      get: (target, property) => {
        this.#reads++;
        const member: unknown = Reflect.get(target, property, target);
        return typeof member === 'function' ? member.bind(target) : member;
      },
    });
  }
}

const NONE: ReadonlySet<string> = new Set();

/** One validation with a {@link CheckMemo}. */
export interface MemoRun {
  /** keys of declarations that were added, removed or changed in what others see of them */
  readonly names: ReadonlySet<string>;
  readonly previous: ReadonlyMap<string, KeptOutcome>;
  readonly previousOrder: CheckOrder | undefined;
  /** receives the outcomes of this validation */
  readonly next: Map<string, KeptOutcome>;
  /** makes the outcomes of this validation the kept ones */
  commit(order: CheckOrder): void;
  countCheck(): void;
  countBuild(): void;
  /** the number of accesses to files so far */
  reads(): number;
}

/** The part of a declaration that the memo compares. */
export interface MemoNode {
  readonly key: string;
  readonly parts: readonly unknown[];
  readonly after: readonly string[];
  readonly isVolatile: boolean;
}

/** Returns the kept outcome of a declaration that nothing but its dependencies can have changed. */
export function keptOutcome(run: MemoRun, node: MemoNode): KeptOutcome | undefined {
  const previousResult = run.previous.get(node.key);
  if (previousResult === undefined || !previousResult.isReusable || node.isVolatile)
    return undefined;
  if (!sameItems(previousResult.parts, node.parts)) return undefined;
  if (run.names.size > 0) {
    // Messages may suggest any declared name.
    if (previousResult.diagnostics.length > 0) return undefined;
    if (node.after.some((key) => run.names.has(key))) return undefined;
    if (!sameItems(previousResult.after, node.after)) return undefined;
  }
  return previousResult;
}

/**
 * Returns the order of the last validation with the current dependencies, if these are the same declarations and each
 * still comes after those that it depends on.
 */
export function keptOrder(run: MemoRun, nodes: readonly MemoNode[]): CheckOrder | undefined {
  const order = run.previousOrder;
  if (order?.keys.length !== nodes.length) return undefined;
  if (!nodes.every(({ key }, index) => key === order.keys[index])) return undefined;
  const changed = nodes.flatMap(({ key, after }, index) =>
    sameItems(run.previous.get(key)?.after ?? [], after) ? [] : [index],
  );
  if (changed.length === 0) return order;
  const indices = indicesOf(nodes);
  const places = new Uint32Array(nodes.length);
  for (const [place, index] of order.order.entries()) places[index] = place;
  const edges = [...order.edges];
  for (const index of changed) {
    const dependencies = edgesOf(nodes, index, indices);
    const place = places[index] ?? 0;
    if (dependencies.some((dependency) => (places[dependency] ?? 0) > place)) return undefined;
    edges[index] = dependencies;
  }
  return { ...order, edges };
}

/** Returns the indices of declarations by key. */
export function indicesOf(nodes: readonly MemoNode[]): ReadonlyMap<string, number> {
  const indices = new Map<string, number>();
  for (let index = 0; index < nodes.length; index++) {
    const node = nodes[index];
    if (node !== undefined) indices.set(node.key, index);
  }
  return indices;
}

const NO_EDGES: readonly number[] = [];

/** Returns the indices of the declarations that one depends on. */
export function edgesOf(
  nodes: readonly MemoNode[],
  index: number,
  indices: ReadonlyMap<string, number>,
): readonly number[] {
  const after = nodes[index]?.after;
  if (after === undefined || after.length === 0) return NO_EDGES;
  if (after.length === 1) {
    const only = indices.get(after[0] ?? '');
    return only === undefined || only === index ? NO_EDGES : [only];
  }
  const edges: number[] = [];
  for (let i = 0; i < after.length; i++) {
    const dependency = indices.get(after[i] ?? '');
    if (dependency !== undefined && dependency !== index) edges.push(dependency);
  }
  return edges;
}

/** Returns the dependencies of an unchanged declaration; undefined if they must be determined again. */
export function keptDependencies(
  run: MemoRun | undefined,
  key: string,
  parts: readonly unknown[],
): readonly string[] | undefined {
  if (run === undefined || run.names.size > 0) return undefined;
  const previousResult = run.previous.get(key);
  return previousResult !== undefined && sameItems(previousResult.parts, parts)
    ? previousResult.after
    : undefined;
}

/**
 * Returns true if the declarations can be evaluated in some order as those of the last validation could: they are the
 * same ones, and their new references make no cycle. Returns false if this is not certain.
 */
export function isStillOrdered(run: MemoRun, nodes: readonly MemoNode[]): boolean {
  if (run.names.size > 0 || run.previous.size !== nodes.length) return false;
  const calling = new Map<Source, boolean>();
  const added: (readonly [key: string, dependencies: readonly string[]])[] = [];
  for (const node of nodes) {
    const { key, parts, after } = node;
    const previousResult = run.previous.get(key);
    if (previousResult === undefined) return false;
    if (sameItems(previousResult.parts, parts)) continue;
    if (hasOtherDependencies(node, calling)) return false;
    if (sameItems(previousResult.after, after)) continue;
    const before = new Set(previousResult.after);
    const dependencies = after.filter((other) => !before.has(other) && run.previous.has(other));
    if (dependencies.length > 0) added.push([key, dependencies]);
  }
  if (added.length === 0) return true;
  const byKey = new Map(nodes.map((node) => [node.key, node]));
  if (hasImports(byKey)) return false;
  return added.every(([key, dependencies]) => cannotReach(byKey, dependencies, key, calling));
}

/** Resources depend on their import blocks, which `after` does not contain. */
function hasImports(byKey: ReadonlyMap<string, MemoNode>): boolean {
  for (const key of byKey.keys()) if (key.includes('|import.')) return true;
  return false;
}

/**
 * Returns true if no declaration of `starts` depends on `target`, directly or through others. Returns false if this is
 * not certain: when declarations are reached whose dependencies are not all in `after`.
 */
function cannotReach(
  byKey: ReadonlyMap<string, MemoNode>,
  starts: readonly string[],
  target: string,
  calling: Map<Source, boolean>,
): boolean {
  const reached = new Set(starts);
  for (const key of reached) {
    if (key === target) return false;
    const node = byKey.get(key);
    if (node === undefined) continue;
    // Declarations of called modules also depend on the calls.
    if (!key.startsWith('|') || hasOtherDependencies(node, calling)) return false;
    for (const next of node.after) reached.add(next);
    // A variable has its value when its validation rules are evaluated.
    if (key.startsWith('|var.')) reached.add(`|validation.${key.slice('|var.'.length)}`);
  }
  return true;
}

/** Returns true if a declaration may depend on declarations that `after` does not contain. */
function hasOtherDependencies(
  { parts, isVolatile }: MemoNode,
  calling: Map<Source, boolean>,
): boolean {
  return isVolatile || parts.some((part) => callsProvider(part, calling));
}

/** Returns true if a provider function may be called in the file that a part of a declaration is in. */
function callsProvider(part: unknown, calling: Map<Source, boolean>): boolean {
  if (typeof part !== 'object' || part === null || !('range' in part)) return false;
  const { range } = part as { readonly range: { readonly source: Source } };
  const { root } = range.source;
  let calls = calling.get(root);
  if (calls === undefined) {
    calls = root.text.includes('provider::');
    calling.set(root, calls);
  }
  return calls;
}

function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a === b || (a.length === b.length && a.every((item, index) => item === b[index]));
}
