import { Bug } from '@terrane/cty';
import type { Diagnostic } from '@terrane/hcl';

// Expressions are evaluated synchronously, but provider functions may respond asynchronously. An evaluation is
// therefore repeated, in passes, until all functions that it calls have responded. A pass must not have external
// effects: it returns a value, reports to its own diagnostics, and registers effects, which happen once, after the last
// pass.

/** One pass of an evaluation. It may be repeated, so that its diagnostics and effects are dropped. */
export interface EvaluationPass {
  /** receives the diagnostics of this pass */
  readonly diagnostics: Diagnostic[];
  /** Registers an effect, such as setting a cell. Effects happen after the last pass, in order of registration. */
  commit(effect: () => void): void;
}

/** The result of a pass. */
export interface PassResult<T> {
  readonly value: T;
  readonly diagnostics: Diagnostic[];
  readonly effects: readonly (() => void)[];
}

const NO_EFFECTS: readonly (() => void)[] = [];

class Pass implements EvaluationPass {
  readonly diagnostics: Diagnostic[] = [];
  #effects: (() => void)[] | undefined;

  get effects(): readonly (() => void)[] {
    return this.#effects ?? NO_EFFECTS;
  }

  commit(effect: () => void): void {
    (this.#effects ??= []).push(effect);
  }
}

// Passes are synchronous, so at most one is active, with those that it is nested in.
let active: Pass | undefined;

/**
 * Executes a pass. Throws Bug if it reports to the diagnostics of its caller, which a repetition would report twice.
 *
 * @param reported the diagnostics of the caller
 */
export function executePass<T>(
  reported: readonly Diagnostic[],
  work: (pass: EvaluationPass) => T,
): PassResult<T> {
  const { length } = reported;
  const outer = active;
  const pass = new Pass();
  let value: T;
  active = pass;
  try {
    value = work(pass);
  } finally {
    active = outer;
  }
  if (reported.length !== length)
    throw new Bug('an evaluation pass must report to its own diagnostics');
  return { value, diagnostics: pass.diagnostics, effects: pass.effects };
}

/** Reports the diagnostics of a last pass, and runs its effects: now, or with those of the enclosing pass. */
export function commitPass<T>(result: PassResult<T>, diagnostics: Diagnostic[]): T {
  const { value, diagnostics: reported, effects } = result;
  // Most passes have neither.
  if (reported.length > 0) for (const diagnostic of reported) diagnostics.push(diagnostic);
  if (effects.length > 0) {
    for (const effect of effects) {
      if (active === undefined) effect();
      else active.commit(effect);
    }
  }
  return value;
}

/** Evaluates in a single pass, if all functions respond synchronously or an enclosing pass is repeated. */
export function evaluateOnce<T>(diagnostics: Diagnostic[], work: (pass: EvaluationPass) => T): T {
  return commitPass(executePass(diagnostics, work), diagnostics);
}

/** Throws Bug during a pass. Call it before a change of data that several evaluations share. */
export function expectNoPass(): void {
  if (active !== undefined)
    throw new Bug('an evaluation pass must not change shared values; register an effect');
}
