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

/** Returns the order of the last validation if it is one of these declarations, which refer to each other as before. */
export function keptOrder(run: MemoRun, nodes: readonly MemoNode[]): CheckOrder | undefined {
  const order = run.previousOrder;
  if (order?.keys.length !== nodes.length) return undefined;
  return nodes.every(({ key }, index) => key === order.keys[index]) ? order : undefined;
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
 * Returns true if the declarations refer to each other as in the last validation, so that their order of evaluation is
 * known to exist.
 */
export function isSameStructure(run: MemoRun, nodes: readonly MemoNode[]): boolean {
  if (run.names.size > 0 || run.previous.size !== nodes.length) return false;
  const calling = new Map<Source, boolean>();
  return nodes.every(({ key, parts, after, isVolatile }) => {
    const previousResult = run.previous.get(key);
    if (previousResult === undefined) return false;
    if (sameItems(previousResult.parts, parts)) return true;
    // References of these are not all in `after`.
    if (isVolatile || parts.some((part) => callsProvider(part, calling))) return false;
    return sameItems(previousResult.after, after);
  });
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
