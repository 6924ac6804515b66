import { compareText } from '@terrane/cty';
import { expectNoPass } from '../config/evaluation-pass.ts';
import type { CheckResult, CheckResults } from '../state/model.ts';

/** The status of a condition, of an object or of a checkable declaration. */
export type CheckStatus = CheckResult['status'];
/** The kind of a checkable object. */
export type CheckKind = CheckResult['kind'];

interface ObjectEntry {
  readonly rules: Map<
    string,
    { readonly status: CheckStatus; readonly message: string | undefined }
  >;
}

interface Entry {
  readonly kind: CheckKind;
  readonly configAddr: string;
  /** Undefined until the instances are known. */
  objects: Map<string, ObjectEntry> | undefined;
}

/** Collects the results of conditions during a run. */
export class CheckBook {
  readonly #entries = new Map<string, Entry>();

  /** Declares an object of the configuration with conditions. */
  declare(kind: CheckKind, configAddr: string): void {
    expectNoPass();
    if (!this.#entries.has(configAddr))
      this.#entries.set(configAddr, { kind, configAddr, objects: undefined });
  }

  /** Registers the objects of a checkable declaration, so that the results include all of them. */
  expect(configAddr: string, addresses: Iterable<string>): void {
    expectNoPass();
    const entry = this.#entries.get(configAddr);
    if (entry === undefined) return;
    entry.objects ??= new Map();
    for (const address of addresses) {
      if (!entry.objects.has(address)) entry.objects.set(address, { rules: new Map() });
    }
  }

  /** Copies the known objects of a plan: results that the apply does not reach are unknown. */
  foresee(planned: CheckResults): void {
    for (const { configAddr, objects, status } of planned) {
      if (objects.length === 0 && status === 'unknown') continue;
      this.expect(
        configAddr,
        objects.map((object) => object.address),
      );
    }
  }

  /** Records the result of one condition of one object. */
  report(
    configAddr: string,
    address: string,
    rule: string,
    status: CheckStatus,
    message?: string,
  ): void {
    this.expect(configAddr, [address]);
    this.#entries.get(configAddr)?.objects?.get(address)?.rules.set(rule, { status, message });
  }

  /** The status of one object so far. */
  status(configAddr: string, address: string): CheckStatus {
    const object = this.#entries.get(configAddr)?.objects?.get(address);
    return object === undefined ? 'unknown' : objectStatus(object);
  }

  /** Yields the status of every evaluated condition of every object. */
  *conditions(): Iterable<{
    readonly configAddr: string;
    /** the kind of condition and its index among those of its kind: `precondition.0` */
    readonly rule: string;
    readonly status: CheckStatus;
  }> {
    for (const { configAddr, objects } of this.#entries.values()) {
      for (const { rules } of objects?.values() ?? []) {
        for (const [rule, { status }] of rules) yield { configAddr, rule, status };
      }
    }
  }

  /** Returns all declared results, in the order of the addresses. */
  results(): CheckResults {
    const entries = [...this.#entries.values()].sort((a, b) =>
      a.configAddr < b.configAddr ? -1 : 1,
    );
    return entries.map((entry) => resultOf(entry));
  }
}

function resultOf(entry: Entry): CheckResult {
  const objects = [...(entry.objects ?? [])].map(([address, object]) => ({
    address,
    status: objectStatus(object),
    // A message that must not be shown is empty.
    messages: [...object.rules.values()]
      .flatMap(({ status, message = '' }) => (status === 'fail' && message !== '' ? [message] : []))
      .sort(compareText),
  }));
  const { kind, configAddr } = entry;
  return { kind, configAddr, status: aggregate(entry, objects), objects };
}

function aggregate(
  entry: Entry,
  objects: readonly { readonly status: CheckStatus }[],
): CheckStatus {
  if (entry.objects === undefined) return 'unknown';
  return worst(
    objects.map((object) => object.status),
    'pass',
  );
}

function objectStatus(object: ObjectEntry): CheckStatus {
  return worst(
    [...object.rules.values()].map((rule) => rule.status),
    'unknown',
  );
}

/** An error outweighs a failure, a failure an unknown result, and that a pass. */
function worst(statuses: readonly CheckStatus[], ofNone: CheckStatus): CheckStatus {
  for (const status of ['error', 'fail', 'unknown'] as const) {
    if (statuses.includes(status)) return status;
  }
  return statuses.length === 0 ? ofNone : 'pass';
}
