// The oracle: runs a case through the real `terraform`, or through `tofu` where the case says so.
import { isByHand, type Case } from './case.ts';
import { missingProviders } from './installed-providers.ts';
import { findTerraform, findTofu } from './program.ts';
import type { Program } from './program.ts';
import { runCase } from './run-case.ts';
import type { CaseRun } from './run-case.ts';

/** Why the oracle can't run a case here, or undefined where it can. */
export function whyNotLive(testCase: Case): string | undefined {
  if (isByHand(testCase)) return 'its results were written by hand, from a source';
  if (oracleOf(testCase) === undefined) {
    return testCase.oracle?.program === 'tofu'
      ? 'no tofu on PATH and no TERRANE_TOFU'
      : 'no terraform on PATH';
  }
  const missing = missingProviders(testCase);
  if (missing.length > 0) {
    return `no ${missing.join(', ')} in the mirror of providers; run scripts/oracle/install-providers.mjs`;
  }
  return undefined;
}

function oracleOf(testCase: Case): Program | undefined {
  return testCase.oracle?.program === 'tofu' ? findTofu() : findTerraform();
}

/** Runs a case through its oracle. */
export function runTerraform(testCase: Case): Promise<CaseRun> {
  const oracle = oracleOf(testCase);
  if (oracle === undefined) throw new Error(whyNotLive(testCase));
  return runCase(oracle, testCase);
}
