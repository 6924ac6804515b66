import type { InstanceAddr } from '@terrane/addresses';
import type { Diagnostic } from '@terrane/hcl';
import { evaluateBody } from '../evaluate/body.ts';
import { errorCount } from '../evaluate/expansion.ts';
import { repetitionOf } from '../evaluate/repetition.ts';
import { readData, reportNested, storedData } from '../objects/read-data.ts';
import type { WantedInstance } from '../objects/wanted-instance.ts';
import type { ApplyRun } from './request.ts';
import { checkConditions, targetOf } from './target.ts';

/** Reads a data source whose read was deferred to the apply. */
export async function applyRead(
  run: ApplyRun,
  addr: InstanceAddr,
  diagnostics: Diagnostic[],
): Promise<void> {
  const target = await targetOf(run, addr, diagnostics);
  if (target === undefined) return;
  const before = errorCount(diagnostics);
  await checkConditions(run, target, 'precondition', target.scope, diagnostics);
  if (errorCount(diagnostics) > before) return;
  const { resource, schema, cells, cell } = target;
  const config = await run.evaluation.evaluate(diagnostics, (pass) =>
    evaluateBody(resource.body, schema.block, target.scope, addr.text, pass.diagnostics),
  );
  if (errorCount(diagnostics) > before) return;
  const wanted: WantedInstance = {
    ...target,
    key: addr.key,
    dependencies: () => [],
    createBeforeDestroy: false,
  };
  const reported: Diagnostic[] = [];
  const value = await readData({ emit: run.request.emit }, wanted, config, reported);
  if (resource.check === undefined) diagnostics.push(...reported);
  else reportNested({ evaluation: run.evaluation }, wanted, resource.check, reported, diagnostics);
  if (value === undefined) return;
  await run.recorder.record(
    { kind: 'put', addr, object: storedData(wanted, value) },
    { sync: false },
  );
  cell.set(addr.key, value);
  const scope = run.evaluation.scope(cells, repetitionOf(cell.expansion, addr.key), value);
  await checkConditions(run, target, 'postcondition', scope, diagnostics);
}
