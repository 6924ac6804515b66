import { createHash } from 'node:crypto';
import type { ProviderSource } from '@terrane/addresses';
import { CtyError, DYNAMIC, encodeMsgpack, type Value } from '@terrane/cty';
import { describeValue } from '@terrane/provider';

/** What a call gave, by hashes of it and of its arguments: all that a plan keeps. */
export interface FunctionResult {
  readonly key: string;
  readonly result: string;
}

interface Given {
  readonly result: string;
  /** undefined: from the plan, which has hashes only */
  readonly value?: Value;
}

/**
 * What the functions of providers gave in one run, and in the plan that it applies. The same arguments must give
 * the same result, or else what is applied is not what was planned.
 */
export class FunctionResults {
  readonly #given = new Map<string, Given>();

  constructor(planned: readonly FunctionResult[] = []) {
    for (const { key, result } of planned) this.#given.set(key, { result });
  }

  /** What a call is known by. Arguments are unmarked. */
  key(provider: ProviderSource, name: string, args: readonly Value[]): string {
    const hash = createHash('sha256').update(`${provider.text}|${name}`);
    for (const arg of args) hash.update('|').update(encodeMsgpack(arg, DYNAMIC));
    return hash.digest('hex');
  }

  /** Takes note of a result. @throws CtyError where the same call gave another one before */
  check(key: string, value: Value): void {
    const result = createHash('sha256').update(encodeMsgpack(value, DYNAMIC)).digest('hex');
    const before = this.#given.get(key);
    if (before === undefined) {
      this.#given.set(key, { result, value });
      return;
    }
    if (before.result === result) return;
    const problem = 'provider function returned an inconsistent result';
    throw new CtyError(
      before.value === undefined
        ? problem
        : `${problem},\nwas: ${describeValue(before.value)},\nnow: ${describeValue(value)}`,
    );
  }

  /** What a plan keeps. */
  all(): readonly FunctionResult[] {
    return Array.from(this.#given, ([key, { result }]) => ({ key, result }));
  }
}
