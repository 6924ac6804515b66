import type { Enforcement, Policy, PolicyFile } from '../language/model.ts';
import type { PolicyResult } from '../evaluate/result.ts';

/** The outcomes of an `enforce` block that tests have produced. */
export interface EnforcementCoverage {
  readonly enforcement: Enforcement;
  passed: boolean;
  failed: boolean;
}

/** The coverage of a policy by its tests. */
export interface PolicyCoverage {
  readonly file: PolicyFile;
  readonly policy: Policy;
  /** number of mocks that it was evaluated for */
  evaluated: number;
  /** number of mocks that its filter excluded */
  filtered: number;
  readonly enforcements: readonly EnforcementCoverage[];
}

/** Collects the coverage of policies by tests. */
export class PolicyTestCoverage {
  readonly #policies = new Map<Policy, PolicyCoverage>();

  /** Declares the policies of a file, so that those without any test are reported. */
  declare(file: PolicyFile): void {
    for (const policy of file.policies) {
      if (this.#policies.has(policy)) continue;
      this.#policies.set(policy, {
        file,
        policy,
        evaluated: 0,
        filtered: 0,
        enforcements: policy.enforcements.map((enforcement) => ({
          enforcement,
          passed: false,
          failed: false,
        })),
      });
    }
  }

  /** Records the result of a policy; undefined: its filter excluded the mock. */
  record(policy: Policy, result: PolicyResult | undefined): void {
    const coverage = this.#policies.get(policy);
    if (coverage === undefined) return;
    if (result === undefined) {
      coverage.filtered++;
      return;
    }
    coverage.evaluated++;
    for (const { enforcement, outcome } of result.enforcements) {
      const each = coverage.enforcements[enforcement.index];
      if (each === undefined) continue;
      if (outcome === 'pass') each.passed = true;
      if (outcome === 'fail') each.failed = true;
    }
  }

  get report(): readonly PolicyCoverage[] {
    return [...this.#policies.values()];
  }
}
