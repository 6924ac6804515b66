import { createHash } from 'node:crypto';
import { CtyError, DYNAMIC, encodeMsgpack, type Value } from '@terrane/cty';
import { describeValue } from '@terrane/provider';

/** The record of a call in a plan: hashes of the function with its arguments, and of its result. */
export interface FunctionResult {
  readonly key: string;
  readonly result: string;
}

/** The first result of a call. */
interface FirstResult {
  /** the hash that the plan to apply has for it */
  readonly planned?: string;
  /** the value of this run; undefined until the call of the plan is repeated */
  readonly value?: Value;
}

/** Options of {@link FunctionResults.check}. */
export interface ResultCheck {
  /** the error for a result that differs */
  readonly problem: string;
  /** the values are sensitive or ephemeral, so that the error must not show them */
  readonly isSecret?: boolean;
}

/**
 * The results of functions that depend on more than their arguments, in one run and in the plan that it applies:
 * provider functions and functions that read files. Equal arguments must return equal results; otherwise the apply
 * would deviate from the plan.
 */
export class FunctionResults {
  readonly #first = new Map<string, FirstResult>();

  constructor(planned: readonly FunctionResult[] = []) {
    for (const { key, result } of planned) this.#first.set(key, { planned: result });
  }

  /**
   * Returns the key of a call.
   *
   * @param provider source address of the provider, or address of its configuration; undefined for functions of the
   * language
   * @param args arguments without marks at any depth
   */
  key(provider: string | undefined, name: string, args: readonly Value[]): string {
    const hash = createHash('sha256').update(`${provider ?? ''}|${name}`);
    for (const arg of args) hash.update('|').update(encodeMsgpack(arg, DYNAMIC));
    return hash.digest('hex');
  }

  /**
   * Records the result of a call, which is unmarked and known.
   * @throws CtyError if an earlier call with the same key had another result
   */
  check(key: string, value: Value, { problem, isSecret = false }: ResultCheck): void {
    const first = this.#first.get(key);
    if (first === undefined) {
      this.#first.set(key, { value });
      return;
    }
    // Comparing values is cheaper than hashing each result.
    if (first.value?.rawEquals(value) === true) return;
    const { planned } = first;
    if (planned !== undefined && first.value === undefined && planned === hashOf(value)) {
      this.#first.set(key, { planned, value });
      return;
    }
    const isShown = !isSecret && planned === undefined && first.value !== undefined;
    throw new CtyError(isShown ? problem + difference(first.value, value) : problem);
  }

  /**
   * Records the result of a function of the language that reads files, which may be marked or unknown.
   * @throws CtyError if an earlier call with equal arguments had another result
   */
  verify(name: string, args: readonly Value[], result: Value): void {
    const plain = result.unmarkDeep();
    // Unknown results become known when the plan is applied.
    if (!plain.value.isWhollyKnown()) return;
    const unmarkedArgs = args.map((arg) => arg.unmarkDeep());
    const isSecret = [plain, ...unmarkedArgs].some(
      ({ marks }) => marks.has('sensitive') || marks.has('ephemeral'),
    );
    const unmarked = unmarkedArgs.map(({ value }) => value);
    this.check(this.key(undefined, name, unmarked), plain.value, {
      problem: 'function returned an inconsistent result',
      isSecret,
    });
  }

  /** Returns the records for the plan. */
  all(): readonly FunctionResult[] {
    const records: FunctionResult[] = [];
    for (const [key, { planned, value }] of this.#first) {
      const result = planned ?? (value === undefined ? undefined : hashOf(value));
      if (result !== undefined) records.push({ key, result });
    }
    return records;
  }
}

/** Values of more than this length are omitted from the error. */
const MAX_DIFFERENCE_LENGTH = 10_000;

function difference(before: Value, now: Value): string {
  const text = `,\nwas: ${describeValue(before)},\nnow: ${describeValue(now)}`;
  return text.length > MAX_DIFFERENCE_LENGTH ? '' : text;
}

function hashOf(value: Value): string {
  return createHash('sha256').update(encodeMsgpack(value, DYNAMIC)).digest('hex');
}
