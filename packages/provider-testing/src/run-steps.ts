import { type Diagnostic, hasErrors } from '@terrane/hcl';
import { changeProblem, checkPlan } from './check-plan.ts';
import { checkState } from './check-state.ts';
import { differences, mismatch } from './expected.ts';
import { AcceptanceFailure, diagnosticsText, matchesPattern } from './failure.ts';
import { type Attributes, plainValue } from './plain-value.ts';
import type { ConfigStep, ImportStep, RefreshStep, Snapshot } from './test-case.ts';
import type { RunResult, WorkingDirectory } from './working-directory.ts';

/** Runs a configuration step until the first failure; an expected error ends the step. */
export async function runConfigStep(directory: WorkingDirectory, step: ConfigStep): Promise<void> {
  await directory.write(step.config);
  const reported: Diagnostic[] = [];
  const mode = step.destroy === true ? 'destroy' : 'normal';
  if (step.planOnly !== true || step.plan !== undefined) {
    const planned = await directory.plan({ mode });
    if (endsWithExpectedError('planning', planned, step.error, reported)) return;
    if (step.plan !== undefined && planned.plan !== undefined) {
      checkPlan('the plan is not as expected', planned.plan, step.plan);
    }
  }
  if (step.planOnly !== true) {
    if (endsWithExpectedError('applying', await directory.applyPlanned(), step.error, reported))
      return;
    checkState(await directory.snapshot(), step);
    await checkPlansAfter(directory, step);
  }
  expectNoMore(step.error, 'error', reported);
  const warnings = reported.filter(({ severity }) => severity === 'warning');
  if (step.warning !== undefined && !matchesPattern(step.warning, diagnosticsText(warnings))) {
    expectNoMore(step.warning, 'warning', reported);
  }
}

/** Verifies that a second plan, with and without refresh, is empty. */
async function checkPlansAfter(directory: WorkingDirectory, step: ConfigStep): Promise<void> {
  const expected = step.planAfter ?? 'empty';
  // After a destroy, a plan in normal mode would create all objects again, and a refresh would add the outputs.
  const mode = step.destroy === true ? 'destroy' : 'normal';
  const planWithoutRefresh = await directory.plan({ mode, refresh: false });
  failOn('planning after the apply', planWithoutRefresh);
  if (planWithoutRefresh.plan !== undefined) {
    checkPlan(
      'the plan after the apply, without a refresh, is not as expected',
      planWithoutRefresh.plan,
      expected,
    );
  }
  if (mode === 'destroy') return;
  failOn('refreshing after the apply', await directory.refresh());
  const planAfterRefresh = await directory.plan();
  failOn('planning after the refresh', planAfterRefresh);
  if (planAfterRefresh.plan !== undefined) {
    checkPlan('the plan after a refresh is not as expected', planAfterRefresh.plan, expected);
  }
}

/** See {@link RefreshStep}. */
export async function runRefreshStep(
  directory: WorkingDirectory,
  step: RefreshStep,
): Promise<void> {
  const refreshPlan = await directory.plan({ mode: 'refresh-only' });
  if (endsWithExpectedError('refreshing', refreshPlan, step.error, [])) return;
  if (step.drift !== undefined) {
    const drifted = new Map(refreshPlan.plan?.drift.map((each) => [each.addr.text, each]));
    for (const [address, expected] of Object.entries(step.drift)) {
      const change = drifted.get(address);
      drifted.delete(address);
      if (change === undefined) throw new AcceptanceFailure(`${address} has not changed outside`);
      const problem =
        expected === null
          ? changeProblem(change, 'delete')
          : mismatch(expected, plainValue(change.after), '');
      if (problem !== undefined) {
        throw new AcceptanceFailure(`${address} has not changed outside as expected: ${problem}`);
      }
    }
    const others = [...drifted.keys()].join(', ');
    if (others !== '') throw new AcceptanceFailure(`${others} has changed outside too`);
  }
  if (endsWithExpectedError('refreshing', await directory.refresh(), step.error, [])) return;
  expectNoMore(step.error, 'error', []);
  checkState(await directory.snapshot(), step);
  const next = await directory.plan();
  failOn('planning after the refresh', next);
  if (next.plan !== undefined) {
    checkPlan('the plan after the refresh is not as expected', next.plan, step.plan ?? 'empty');
  }
}

/** See {@link ImportStep}. */
export async function runImportStep(directory: WorkingDirectory, step: ImportStep): Promise<void> {
  const attributes = (await directory.snapshot()).objects.get(step.import);
  if (attributes === undefined) {
    throw new AcceptanceFailure(`there is no ${step.import} to import: the state does not have it`);
  }
  const copy = await directory.copy();
  try {
    failOn('forgetting the object', await copy.forget(step.import));
    await copy.add('acceptance_test_import.tf', importBlock(step, attributes));
    const ran = await copy.plan();
    if (endsWithExpectedError('importing', ran, step.error, [])) return;
    expectNoMore(step.error, 'error', ran.diagnostics);
    const change = ran.plan?.changes.find(({ addr }) => addr.text === step.import);
    if (change?.importing === undefined) {
      throw new AcceptanceFailure(`${step.import} is not imported`);
    }
    // The object of an import block is the prior value of its change.
    const imported = plainValue(change.before) as Attributes;
    const ignored = step.ignore ?? [];
    const differing = differences(attributes, imported).filter(
      ({ path }) => !ignored.some((name) => path === name || path.startsWith(`${name}.`)),
    );
    if (differing.length > 0) {
      const lines = differing.map(({ text }) => `  - ${text}`).join('\n');
      throw new AcceptanceFailure(`the imported ${step.import} differs from its state\n${lines}`);
    }
    const expected = step.plan ?? (ignored.length === 0 ? 'no-op' : undefined);
    const problem = expected === undefined ? undefined : changeProblem(change, expected);
    if (problem !== undefined) {
      throw new AcceptanceFailure(`the imported ${step.import} ${problem}`);
    }
  } finally {
    await copy.remove();
  }
}

function importBlock(step: ImportStep, attributes: Attributes): string {
  const lines = [`import {`, `  to = ${step.import}`];
  if (step.identity === undefined) lines.push(`  id = ${hclText(importId(step, attributes))}`);
  else {
    const parts = Object.entries(step.identity).map(
      ([name, value]) => `    ${name} = ${typeof value === 'string' ? hclText(value) : value}`,
    );
    lines.push('  identity = {', ...parts, '  }');
  }
  return `${lines.join('\n')}\n}\n`;
}

function importId({ id, import: address }: ImportStep, attributes: Attributes): string {
  if (typeof id === 'string') return id;
  if (id !== undefined) return id(attributes);
  const idAttribute = attributes['id'];
  if (typeof idAttribute === 'string') return idAttribute;
  throw new AcceptanceFailure(`${address} has no attribute id: set "id" or "identity" of the step`);
}

/** A text as an HCL string without templates. */
function hclText(text: string): string {
  return JSON.stringify(text).replaceAll('${', '$$$${').replaceAll('%{', '%%{');
}

/** Returns true if a run ended with the expected error. Throws for other errors. Collects the diagnostics. */
function endsWithExpectedError(
  subject: string,
  { diagnostics }: RunResult,
  expected: RegExp | string | undefined,
  reported: Diagnostic[],
): boolean {
  reported.push(...diagnostics);
  if (!hasErrors(diagnostics)) return false;
  const text = diagnosticsText(diagnostics.filter(({ severity }) => severity === 'error'));
  if (expected === undefined) throw new AcceptanceFailure(`${subject} failed\n${text}`);
  if (!matchesPattern(expected, text)) {
    throw new AcceptanceFailure(`${subject} failed, but not with ${String(expected)}\n${text}`);
  }
  return true;
}

function failOn(subject: string, { diagnostics }: RunResult): void {
  if (hasErrors(diagnostics)) {
    throw new AcceptanceFailure(`${subject} failed\n${diagnosticsText(diagnostics)}`);
  }
}

function expectNoMore(
  expected: RegExp | string | undefined,
  kind: 'error' | 'warning',
  reported: readonly Diagnostic[],
): void {
  if (expected === undefined) return;
  const text = reported.length === 0 ? '' : `; reported diagnostics:\n${diagnosticsText(reported)}`;
  throw new AcceptanceFailure(`there is no ${kind} with ${String(expected)}${text}`);
}

/** Destroys all objects of the last configuration and the state, and verifies that none is left. */
export async function destroyAll(directory: WorkingDirectory): Promise<Snapshot> {
  await directory.restore();
  const last = await directory.snapshot();
  if (last.objects.size === 0) return last;
  failOn('planning the destroy', await directory.plan({ mode: 'destroy' }));
  failOn('destroying', await directory.applyPlanned());
  const remaining = (await directory.snapshot()).objects;
  if (remaining.size > 0) {
    throw new AcceptanceFailure(
      `after everything was destroyed there is still ${[...remaining.keys()].join(', ')}`,
    );
  }
  return last;
}
