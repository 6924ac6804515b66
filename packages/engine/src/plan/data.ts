import type { Value } from '@terrane/cty';
import { type Diagnostic, hasErrors } from '@terrane/hcl';
import { plannedDataResource } from '@terrane/provider';
import { readData, reportNested, storedData } from '../objects/read-data.ts';
import { evaluateBody } from '../evaluate/body.ts';
import { evaluateConditions } from '../evaluate/conditions.ts';
import { errorCount } from '../evaluate/expansion.ts';
import { repetitionOf } from '../evaluate/repetition.ts';
import type { WantedInstance } from '../objects/wanted-instance.ts';
import type { ActionReason, DeferredReason, PlannedChange } from '../objects/change.ts';
import { nothing, withSchemaMarks } from '../objects/stored.ts';
import { ephemeralProblems } from './ephemeral.ts';
import { conditionSeverity, type PlanRun } from './run.ts';

/** The dependencies that may defer the read of a data source to the apply. */
export interface DataDependencies {
  /** true if a managed resource that it depends on has a planned change */
  readonly pending: boolean;
}

/** Reads a data source now, or plans to read it during apply if a dependency is not final yet. */
export async function planData(
  run: PlanRun,
  wanted: WantedInstance,
  dependencies: DataDependencies,
  diagnostics: Diagnostic[],
): Promise<void> {
  const before = errorCount(diagnostics);
  const { addr, resource, schema, cells, cell, key } = wanted;
  const repetition = repetitionOf(cell.expansion, key);
  const scope = run.evaluation.scope(cells, repetition);
  const severity = conditionSeverity(run.choices);
  const checked = { configAddr: addr.config.text, address: addr.text, book: run.evaluation.checks };
  const config = await run.evaluation.evaluate(diagnostics, (pass) => {
    const rules = resource.preconditions;
    evaluateConditions('precondition', rules, checked, scope, severity, pass);
    if (hasErrors(pass.diagnostics)) return undefined;
    return evaluateBody(resource.body, schema.block, scope, addr.text, pass.diagnostics);
  });
  if (config === undefined || errorCount(diagnostics) > before) return;
  const problems = ephemeralProblems(config, schema.block, resource.body, addr.text);
  diagnostics.push(...problems);
  if (problems.length > 0) return;

  const heldBack = run.deferrals.holdsBack(wanted.dependencies);
  const value =
    !config.isWhollyKnown() || dependencies.pending
      ? planRead(run, wanted, config, heldBack)
      : await readNow(run, wanted, config, heldBack, diagnostics);
  if (value === undefined) return;
  cell.set(key, value);
  const withSelf = run.evaluation.scope(cells, repetition, value);
  const rules = resource.postconditions;
  await run.evaluation.evaluate(diagnostics, (pass) =>
    evaluateConditions('postcondition', rules, checked, withSelf, severity, pass),
  );
}

/** Plans to read during apply. Returns the planned value; undefined if nothing else is to be done. */
function planRead(
  run: PlanRun,
  wanted: WantedInstance,
  config: Value,
  heldBack: boolean,
): Value | undefined {
  const { addr, cell, key } = wanted;
  // The previous result may be out of date.
  if (!heldBack && run.prior.instance(addr) !== undefined) run.adopt({ kind: 'drop', addr });
  if (run.choices.mode === 'refresh-only') return undefined;
  const value = placeholder(wanted, config);
  const reason = config.isWhollyKnown()
    ? 'read_because_dependency_pending'
    : 'read_because_config_unknown';
  const change = readChange(wanted, value, reason);
  if (!heldBack) {
    run.changes.set(addr, change);
    return value;
  }
  run.deferrals.add(change, 'deferred_prereq');
  cell.set(key, value);
  return undefined;
}

/** Reads the data source. Returns the result; undefined after errors and if the read is deferred. */
async function readNow(
  run: PlanRun,
  wanted: WantedInstance,
  config: Value,
  heldBack: boolean,
  diagnostics: Diagnostic[],
): Promise<Value | undefined> {
  const { addr, cell, key } = wanted;
  const nested = wanted.resource.check;
  const problems: Diagnostic[] = [];
  let deferredBy: DeferredReason | undefined = heldBack ? 'deferred_prereq' : undefined;
  const result = await readData(run, wanted, config, problems, (reason) => {
    deferredBy = reason;
  });
  if (deferredBy !== undefined && result !== undefined) {
    diagnostics.push(...problems);
    const reason = 'read_because_dependency_pending';
    run.deferrals.add(readChange(wanted, result, reason), deferredBy);
    cell.set(key, result);
    return undefined;
  }
  const value = result ?? (nested === undefined ? undefined : placeholder(wanted, config));
  if (nested === undefined) diagnostics.push(...problems);
  else reportNested(run, wanted, nested, problems, diagnostics);
  if (value === undefined) return undefined;
  if (nested !== undefined && run.choices.mode !== 'refresh-only')
    run.changes.set(addr, readChange(wanted, value, 'read_because_check_nested'));
  run.adopt({ kind: 'put', addr, object: storedData(wanted, value) });
  return value;
}

/** Returns the placeholder value of a data source that is not read yet. */
export function placeholder(wanted: WantedInstance, config: Value): Value {
  const { value, paths } = config.unmarkDeepWithPaths();
  return withSchemaMarks(
    plannedDataResource(wanted.schema.block, value).markWithPaths(paths),
    wanted.schema,
  );
}

/** The change that reads a data source. */
export function readChange(
  wanted: WantedInstance,
  after: Value,
  reason: ActionReason,
): PlannedChange {
  return {
    addr: wanted.addr,
    previousAddr: wanted.addr,
    provider: wanted.providerAddr,
    action: 'read',
    reason,
    before: nothing(wanted.schema),
    after,
    schemaVersion: wanted.schema.version,
    requiredReplace: [],
  };
}
