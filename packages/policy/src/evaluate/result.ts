import type { Diagnostic } from '@terrane/hcl';
import type { EnforcementLevel, Enforcement, Policy, PolicyFile } from '../language/model.ts';

/** The outcome of a policy or condition; `unknown` is decided later, during the apply. */
export type PolicyOutcome = 'pass' | 'fail' | 'unknown' | 'error';

/** The outcome of an `enforce` block for one object. */
export interface EnforcementResult {
  readonly enforcement: Enforcement;
  readonly outcome: PolicyOutcome;
  /** the author's message for this outcome; sensitive messages are replaced */
  readonly message?: string;
}

/** The outcome of a policy for one object. */
export interface PolicyResult {
  readonly policy: Policy;
  readonly file: PolicyFile;
  readonly level: EnforcementLevel;
  readonly outcome: PolicyOutcome;
  /** empty if the filter or the locals could not be evaluated */
  readonly enforcements: readonly EnforcementResult[];
  /** errors of the evaluation */
  readonly diagnostics: readonly Diagnostic[];
}

/** Returns the worst of several outcomes, which is their combined outcome. */
export function worstOutcome(outcomes: Iterable<PolicyOutcome>): PolicyOutcome {
  let worst = 0;
  for (const outcome of outcomes) worst = Math.max(worst, ORDER.indexOf(outcome));
  return ORDER[worst] ?? 'pass';
}

const ORDER: readonly PolicyOutcome[] = ['pass', 'unknown', 'fail', 'error'];
