import { type Diagnostic, errorDiagnostic } from '@terrane/hcl';
import type { Clock, Environment } from '@terrane/host';
import type { PolicyFile } from '../language/model.ts';
import type { Checker, PerformedOverride, PolicyOverride } from './model.ts';

/** The overrides that the user requested. */
export class Overrides {
  readonly #requested: readonly PolicyOverride[];
  readonly #performed = new Map<string, PerformedOverride>();
  readonly #environment: Environment;
  readonly #clock: Clock;

  constructor(requested: readonly PolicyOverride[], environment: Environment, clock: Clock) {
    this.#requested = requested;
    this.#environment = environment;
    this.#clock = clock;
  }

  /** Adopts the overrides that a saved plan recorded, if it was made with the same policies. */
  adopt(policyResults: string, digest: string): void {
    for (const override of recordedOverrides(policyResults, digest)) {
      if (!this.#performed.has(override.name)) this.#performed.set(override.name, override);
    }
  }

  /** Returns the override of a policy or checker by its name or address; undefined if there is none. */
  of(name: string, address: string): PerformedOverride | undefined {
    const requested = this.#requested.find((each) => each.name === name || each.name === address);
    if (requested === undefined) return this.#performed.get(name) ?? this.#performed.get(address);
    let performed = this.#performed.get(requested.name);
    if (performed === undefined) {
      const { userName, hostName } = this.#environment;
      const by = `${userName}@${hostName}`;
      performed = { ...requested, by, at: this.#clock.now().toISOString() };
      this.#performed.set(requested.name, performed);
    }
    return performed;
  }

  /** Returns errors for overrides whose policy or checker does not exist. */
  problems(files: readonly PolicyFile[], checkers: readonly Checker[]): readonly Diagnostic[] {
    const names = new Set(checkers.map(({ name }) => name));
    for (const file of files) {
      for (const { name, address } of file.policies) {
        names.add(name);
        names.add(address);
      }
    }
    return this.#requested
      .filter(({ name }) => !names.has(name))
      .map(({ name }) =>
        errorDiagnostic(
          'Override of unknown policy',
          `There is no policy or checker named ${JSON.stringify(name)}. Use the name or address that the failure shows.`,
        ),
      );
  }
}

/** Returns the overrides in the JSON of an earlier report; none if the policies differ. */
function recordedOverrides(policyResults: string, digest: string): readonly PerformedOverride[] {
  const report: unknown = JSON.parse(policyResults);
  if (!isRecord(report) || report['digest'] !== digest) return [];
  const lists = [report['results'], report['checkers']];
  return lists.flatMap((list) =>
    Array.isArray(list)
      ? list.flatMap((each: unknown) => {
          const override = isRecord(each) ? each['override'] : undefined;
          return isOverride(override) ? [override] : [];
        })
      : [],
  );
}

function isOverride(value: unknown): value is PerformedOverride {
  return (
    isRecord(value) && ['name', 'reason', 'by', 'at'].every((key) => typeof value[key] === 'string')
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
