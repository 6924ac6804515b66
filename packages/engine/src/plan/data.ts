import { type Value } from '@terrane/cty';
import { type Diagnostic, errorDiagnostic, hasErrors, warningDiagnostic } from '@terrane/hcl';
import { impliedType, plannedDataResource } from '@terrane/provider';
import { evaluateBody } from '../evaluate/body.ts';
import { evaluateConditions } from '../evaluate/conditions.ts';
import { errorCount } from '../evaluate/expansion.ts';
import { metaPart } from '../evaluate/provider-meta.ts';
import { repetitionOf } from '../evaluate/repetition.ts';
import { diagnosticsOf } from '../session/provider-diagnostics.ts';
import { CAPABILITIES } from '../session/provider-sessions.ts';
import { encodeStored } from '../state/stored-value.ts';
import type { StoredObject } from '../state/model.ts';
import { ephemeralProblems } from './ephemeral.ts';
import type { WantedInstance } from './managed.ts';
import type { ActionReason, DeferredReason, PlannedChange } from './model.ts';
import { conditionSeverity, type PlanRun } from './run.ts';
import { idOf, nothing, whereabouts, withSchemaMarks } from './stored.ts';

/** What a data source has to wait for. */
export interface DataDependencies {
  /** Whether a managed resource that it builds on has a change planned. */
  readonly pending: boolean;
}

/** Reads a data source now, or plans to read it during apply where something is not settled yet. */
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
  const config = await run.evaluation.settle(diagnostics, () => {
    const rules = resource.preconditions;
    evaluateConditions('precondition', rules, checked, scope, severity, diagnostics);
    if (errorCount(diagnostics) > before) return undefined;
    return evaluateBody(resource.body, schema.block, scope, addr.text, diagnostics);
  });
  if (config === undefined || errorCount(diagnostics) > before) return;
  const problems = ephemeralProblems(config, schema.block, resource.body, addr.text);
  diagnostics.push(...problems);
  if (problems.length > 0) return;

  const configKnown = config.isWhollyKnown();
  const heldBack = run.deferrals.holdsBack(wanted.dependencies);
  let value: Value;
  if (!configKnown || dependencies.pending) {
    // What was read before is not known to hold any more.
    if (!heldBack && run.prior.instance(addr) !== undefined) run.adopt({ kind: 'drop', addr });
    if (run.choices.mode === 'refresh-only') return;
    value = placeholder(wanted, config);
    const reason = configKnown ? 'read_because_dependency_pending' : 'read_because_config_unknown';
    if (heldBack) {
      run.deferrals.add(readChange(wanted, value, reason), 'deferred_prereq');
      cell.set(key, value);
      return;
    }
    run.changes.set(addr, readChange(wanted, value, reason));
  } else {
    const nested = resource.check;
    const found: Diagnostic[] = [];
    let deferredBy: DeferredReason | undefined = heldBack ? 'deferred_prereq' : undefined;
    const read = await readData(run, wanted, config, found, (reason) => {
      deferredBy = reason;
    });
    if (deferredBy !== undefined && read !== undefined) {
      diagnostics.push(...found);
      const reason = 'read_because_dependency_pending';
      run.deferrals.add(readChange(wanted, read, reason), deferredBy);
      cell.set(key, read);
      return;
    }
    if (nested !== undefined) {
      value = read ?? placeholder(wanted, config);
      reportNested(run, wanted, nested, found, diagnostics);
      if (run.choices.mode !== 'refresh-only') {
        run.changes.set(addr, readChange(wanted, value, 'read_because_check_nested'));
      }
    } else {
      diagnostics.push(...found);
      if (read === undefined) return;
      value = read;
    }
    run.adopt({ kind: 'put', addr, object: storedData(wanted, value) });
  }
  cell.set(key, value);
  const withSelf = run.evaluation.scope(cells, repetition, value);
  const rules = resource.postconditions;
  await run.evaluation.settle(diagnostics, () =>
    evaluateConditions('postcondition', rules, checked, withSelf, severity, diagnostics),
  );
}

/** A data source in a check block never holds up a plan: its errors fail the check and only warn. */
export function reportNested(
  run: Pick<PlanRun, 'evaluation'>,
  wanted: WantedInstance,
  check: string,
  found: readonly Diagnostic[],
  diagnostics: Diagnostic[],
): void {
  const { checks } = run.evaluation;
  const prefix = wanted.cells.module.path.isRoot ? '' : `${wanted.cells.module.path.text}.`;
  const within = wanted.cells.instance.isRoot ? '' : `${wanted.cells.instance.text}.`;
  const configAddr = `${prefix}check.${check}`;
  checks.declare('check', configAddr);
  const failures = found.filter((one) => one.severity === 'error');
  const message = failures.map((one) => `${one.summary}: ${one.detail}`).join('; ');
  if (failures.length > 0)
    checks.report(configAddr, `${within}check.${check}`, 'data', 'fail', message);
  else checks.report(configAddr, `${within}check.${check}`, 'data', 'pass');
  for (const one of found) {
    diagnostics.push(
      warningDiagnostic(one.summary, one.detail, one.subject, {
        ...one,
        severity: 'warning',
        extra: {
          kind: 'checkData',
          checkable: 'check',
          object: `${within}check.${check}`,
          severity: one.severity,
        },
      }),
    );
  }
}

/** What stands for the result of a data source that is not read yet. */
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

/**
 * Reads a data source whose configuration is wholly known; undefined after errors. `wait` is called
 * where the provider leaves that to a later plan.
 */
export async function readData(
  run: Pick<PlanRun, 'emit'> & Partial<Pick<PlanRun, 'capabilities'>>,
  wanted: WantedInstance,
  config: Value,
  diagnostics: Diagnostic[],
  wait: (reason: DeferredReason) => void = () => undefined,
): Promise<Value | undefined> {
  const { addr, schema, provider } = wanted;
  const { capabilities = CAPABILITIES } = run;
  const { type } = addr.resource.resource;
  const { value: plain, paths } = config.unmarkDeepWithPaths();
  const validated = await provider.validateDataSourceConfig({
    type,
    config: plain,
    address: addr.text,
  });
  const objections = diagnosticsOf(validated.diagnostics, whereabouts(wanted));
  diagnostics.push(...objections);
  if (hasErrors(objections)) return undefined;
  run.emit({ kind: 'read-start', addr });
  const answer = await provider.readDataSource({
    type,
    config: plain,
    address: addr.text,
    capabilities,
    ...metaPart(wanted),
  });
  const said = diagnosticsOf(answer.diagnostics, whereabouts(wanted));
  diagnostics.push(...said);
  if (hasErrors(said)) return undefined;
  if (answer.deferred !== undefined) wait(answer.deferred.reason);
  else if (answer.state.isNull) {
    diagnostics.push(
      errorDiagnostic(
        'Provider produced null object',
        `Provider "${wanted.providerAddr.text}" produced a null value for ${addr.text}.\n\nThis is a bug in the provider, which should be reported in the provider's own issue tracker.`,
      ),
    );
    return undefined;
  }
  const value = withSchemaMarks(answer.state.markWithPaths(paths), schema);
  run.emit({ kind: 'read-complete', addr, ...idOf(value) });
  return value;
}

/** What the state keeps of a data source that was read. */
export function storedData(wanted: WantedInstance, value: Value): StoredObject {
  return encodeStored(value, impliedType(wanted.schema.block), {
    status: 'ready',
    schemaVersion: wanted.schema.version,
    dependencies: [],
    createBeforeDestroy: false,
    provider: wanted.providerAddr,
  });
}
