// The oracle: runs a case through the real `terraform`, or through the reference program that the case names.
import { PROGRAMS, programVariable } from '../../scripts/oracle/install-programs.mjs';
import type { Case } from './case.ts';
import { missingProviders } from './installed-providers.ts';
import { findTerraform, referenceProgram } from './program.ts';
import type { Program } from './program.ts';
import { runCase } from './run-case.ts';
import type { CaseRun } from './run-case.ts';

/** Why the oracle can't run a case here, or undefined where it can. */
export function whyNotLive(testCase: Case): string | undefined {
  if (oracleOf(testCase) === undefined) return absence(testCase.oracle);
  const missing = missingProviders(testCase);
  if (missing.length > 0) {
    return `no ${missing.join(', ')} in the mirror of providers; run scripts/oracle/install-providers.mjs`;
  }
  return undefined;
}

function absence(oracle: string | undefined): string {
  if (oracle === undefined) return 'no terraform on PATH';
  return PROGRAMS[oracle]?.module === undefined
    ? `${programVariable(oracle)} does not name a program`
    : `no ${oracle}; run scripts/oracle/install-programs.mjs ${oracle}`;
}

/** The program that shows the behaviour of a case, or undefined if it is not on this machine. */
export function oracleOf({ oracle }: Pick<Case, 'oracle'>): Program | undefined {
  return oracle === undefined ? findTerraform() : referenceProgram(oracle);
}

/** Runs a case through its oracle. */
export function runTerraform(testCase: Case): Promise<CaseRun> {
  const oracle = oracleOf(testCase);
  if (oracle === undefined) throw new Error(whyNotLive(testCase));
  return runCase(oracle, testCase);
}
