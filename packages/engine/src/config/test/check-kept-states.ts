import { quoteText } from '@terrane/cty';
import { type Diagnostic, errorDiagnostic, type Range, warningDiagnostic } from '@terrane/hcl';
import type { DecodedRun } from './decode-test-run.ts';
import { stateKeyOf } from './state-key.ts';

/** Verifies that the runs of a file agree about the states that are kept after it. Runs must be added in order. */
export class KeptStates {
  readonly #backends = new Map<string, string>();
  readonly #skipping = new Map<string, string>();
  readonly #applied = new Map<string, string>();

  /** Reports an object of the next run that conflicts with those of earlier runs. */
  check(run: DecodedRun, diagnostics: Diagnostic[]): void {
    const key = stateKeyOf(run);
    if (run.skipCleanup && run.skipCleanupRange !== undefined)
      this.#checkSkipping(key, run.name, run.skipCleanupRange, diagnostics);
    if (run.backend !== undefined)
      this.#checkBackend(key, run.name, run.backend.range, diagnostics);
    if (run.command === 'apply' && !this.#applied.has(key)) this.#applied.set(key, run.name);
  }

  #checkSkipping(key: string, name: string, range: Range, diagnostics: Diagnostic[]): void {
    const backend = this.#backends.get(key);
    if (backend !== undefined) {
      const reason =
        'that has a backend defined. The later run takes precedence, but the backend will still be used to manage this state.';
      diagnostics.push(duplicate(name, reason, backend, range));
      return;
    }
    const earlier = this.#skipping.get(key);
    this.#skipping.set(key, name);
    if (earlier === undefined) return;
    const reason =
      'that also has skip_cleanup set. The later run takes precedence, and this attribute is ignored for the earlier run.';
    diagnostics.push(duplicate(name, reason, earlier, range));
  }

  #checkBackend(key: string, name: string, range: Range, diagnostics: Diagnostic[]): void {
    const existing = this.#backends.get(key);
    if (existing !== undefined) {
      diagnostics.push(
        errorDiagnostic(
          'Duplicate backend blocks',
          `The run ${quoteText(name)} already uses an internal state file that's loaded by a backend in the run ${quoteText(existing)}. Please ensure that a backend block is only in the first apply run block for a given internal state file.`,
          range,
        ),
      );
      return;
    }
    this.#backends.set(key, name);
    const applied = this.#applied.get(key);
    if (applied === undefined) return;
    diagnostics.push(
      errorDiagnostic(
        'Invalid backend block',
        `The run ${quoteText(name)} cannot load in state using a backend block, because internal state has already been created by an apply command in run ${quoteText(applied)}. Backend blocks can only be present in the first apply command for a given internal state.`,
        range,
      ),
    );
  }
}

function duplicate(name: string, reason: string, earlier: string, range: Range): Diagnostic {
  return warningDiagnostic(
    'Duplicate "skip_cleanup" block',
    `The run ${quoteText(name)} has a skip_cleanup attribute set, but shares state with an earlier run ${quoteText(earlier)} ${reason}`,
    range,
  );
}
