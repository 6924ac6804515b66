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
 * Plans one stand-in for all instances of a resource that are not known yet, and leaves it to a later
 * plan. What it would become shows early what is wrong whatever the instances are
 * (`nodePlannablePartialExpandedResource` of Terraform).
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
  const config = await run.evaluation.settle(diagnostics, () =>
    evaluateBody(resource.body, schema.block, scope, addr.text, diagnostics),
  );
  if (errorCount(diagnostics) > before) return;
  const { createBeforeDestroy } = wanted;
  const asked = { config, createBeforeDestroy, forced: false };
  const change =
    resource.addr.mode === 'data'
      ? readChange(wanted, placeholder(wanted, config), 'read_because_config_unknown')
      : await planChange(run, wanted, undefined, asked, diagnostics, () => undefined);
  if (change === undefined) return;
  run.deferrals.add(change, 'instance_count_unknown');
  cell.set(key, withSchemaMarks(change.after, schema));
}

/** Leaves an ephemeral resource closed, because something that it builds on waits for a later plan. */
export function leaveClosed(
  run: Pick<PlanRun, 'deferrals'>,
  { addr, cell, key }: Pick<WantedInstance, 'addr' | 'cell' | 'key'>,
): void {
  run.deferrals.note(addr.config);
  cell.set(key, UNKNOWN.mark('ephemeral'));
}
