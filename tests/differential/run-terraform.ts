// The oracle: runs a case through the real `terraform`.
import type { Case } from './case.ts';
import { findTerraform, mirrorExists } from './program.ts';
import type { Program } from './program.ts';
import { runCase } from './run-case.ts';
import type { CaseRun } from './run-case.ts';

/** Why `terraform` can't run a case here, or undefined where it can. */
export function whyNotLive(testCase: Case): string | undefined {
  if (findTerraform() === undefined) return 'no terraform on PATH';
  if (testCase.providers.length > 0 && !mirrorExists()) {
    return 'no mirror of providers; run scripts/oracle/install-providers.mjs';
  }
  return undefined;
}

/** The oracle; throws where there is none. */
export function terraform(): Program {
  const found = findTerraform();
  if (found === undefined) throw new Error('no terraform on PATH');
  return found;
}

/** Runs a case through `terraform`. */
export function runTerraform(testCase: Case): Promise<CaseRun> {
  return runCase(terraform(), testCase);
}
