import { UNKNOWN } from '@terrane/cty';
import type { Diagnostic } from '@terrane/hcl';
import { evaluateBody } from '../evaluate/body.ts';
import { errorCount } from '../evaluate/expansion.ts';
import { repetitionOf } from '../evaluate/repetition.ts';
import type { WantedInstance } from '../objects/wanted-instance.ts';
import { planChange } from '../objects/plan-change.ts';
import { withSchemaMarks } from '../objects/stored.ts';
import { placeholder, readChange } from './data.ts';
import type { PlanRun } from './run.ts';

/**
 * Plans a placeholder for all unknown instances of a resource, and defers it. The placeholder reveals errors that do
 * not depend on the instances (Terraform's `nodePlannablePartialExpandedResource`).
 */
export async function planOpen(
  run: PlanRun,
  wanted: WantedInstance,
  diagnostics: Diagnostic[],
): Promise<void> {
  const { addr, resource, schema, cells, cell, key } = wanted;
  if (resource.addr.mode === 'ephemeral') {
    leaveClosed(run, wanted);
    return;
  }
  if (run.choices.mode === 'refresh-only') {
    run.deferrals.note(addr.config);
    return;
  }
  const before = errorCount(diagnostics);
  const scope = run.evaluation.scope(cells, repetitionOf(cell.expansion, key));
  const config = await run.evaluation.evaluate(diagnostics, (pass) =>
    evaluateBody(resource.body, schema.block, scope, addr.text, pass.diagnostics),
  );
  if (errorCount(diagnostics) > before) return;
  const { createBeforeDestroy } = wanted;
  const planInputs = { config, createBeforeDestroy, forced: false };
  const change =
    resource.addr.mode === 'data'
      ? readChange(wanted, placeholder(wanted, config), 'read_because_config_unknown')
      : await planChange(run, wanted, undefined, planInputs, diagnostics, () => undefined);
  if (change === undefined) return;
  run.deferrals.add(change, 'instance_count_unknown');
  cell.set(key, withSchemaMarks(change.after, schema));
}

/** Does not open an ephemeral resource that depends on a deferred change. */
export function leaveClosed(
  run: Pick<PlanRun, 'deferrals'>,
  { addr, cell, key }: Pick<WantedInstance, 'addr' | 'cell' | 'key'>,
): void {
  run.deferrals.note(addr.config);
  cell.set(key, UNKNOWN.mark('ephemeral'));
}
