import type { Value } from '@terrane/cty';
import { type Diagnostic, errorDiagnostic, hasErrors, warningDiagnostic } from '@terrane/hcl';
import { impliedType } from '@terrane/provider';
import { metaPart } from '../evaluate/provider-meta.ts';
import type { StoredObject } from '../state/model.ts';
import { CAPABILITIES } from '../session/provider-sessions.ts';
import { diagnosticsOf } from '../session/provider-diagnostics.ts';
import { encodeStored } from '../state/stored-value.ts';
import type { DeferredReason } from './change.ts';
import type { ObjectRun } from './run.ts';
import type { WantedInstance } from './wanted-instance.ts';
import { idOf, whereabouts, withSchemaMarks } from './stored.ts';

/**
 * Reads a data source whose configuration is wholly known; undefined after errors. `wait` is called if the provider
 * defers the read to a later plan.
 */
export async function readData(
  run: Pick<ObjectRun, 'emit'> & Partial<Pick<ObjectRun, 'capabilities'>>,
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
  const response = await provider.readDataSource({
    type,
    config: plain,
    address: addr.text,
    capabilities,
    ...metaPart(wanted),
  });
  const problems = diagnosticsOf(response.diagnostics, whereabouts(wanted));
  diagnostics.push(...problems);
  if (hasErrors(problems)) return undefined;
  if (response.deferred !== undefined) wait(response.deferred.reason);
  else if (response.state.isNull) {
    diagnostics.push(
      errorDiagnostic(
        'Provider produced null object',
        `Provider "${wanted.providerAddr.text}" produced a null value for ${addr.text}.\n\nThis is a bug in the provider, which should be reported in the provider's own issue tracker.`,
      ),
    );
    return undefined;
  }
  const value = withSchemaMarks(response.state.markWithPaths(paths), schema);
  run.emit({ kind: 'read-complete', addr, ...idOf(value) });
  return value;
}

/** Returns the state object of a data source that was read. */
export function storedData(wanted: WantedInstance, value: Value): StoredObject {
  return encodeStored(value, impliedType(wanted.schema.block), {
    status: 'ready',
    schemaVersion: wanted.schema.version,
    dependencies: [],
    createBeforeDestroy: false,
    provider: wanted.providerAddr,
  });
}
/** A data source in a check block never holds up a plan: its errors fail the check and only warn. */
export function reportNested(
  run: Pick<ObjectRun, 'evaluation'>,
  wanted: WantedInstance,
  check: string,
  problems: readonly Diagnostic[],
  diagnostics: Diagnostic[],
): void {
  const { checks } = run.evaluation;
  const prefix = wanted.cells.module.path.isRoot ? '' : `${wanted.cells.module.path.text}.`;
  const within = wanted.cells.instance.isRoot ? '' : `${wanted.cells.instance.text}.`;
  const configAddr = `${prefix}check.${check}`;
  checks.declare('check', configAddr);
  const failures = problems.filter((problem) => problem.severity === 'error');
  const message = failures.map((problem) => `${problem.summary}: ${problem.detail}`).join('; ');
  if (failures.length > 0)
    checks.report(configAddr, `${within}check.${check}`, 'data', 'fail', message);
  else checks.report(configAddr, `${within}check.${check}`, 'data', 'pass');
  for (const problem of problems) {
    diagnostics.push(
      warningDiagnostic(problem.summary, problem.detail, problem.subject, {
        ...problem,
        severity: 'warning',
        extra: {
          kind: 'checkData',
          checkable: 'check',
          object: `${within}check.${check}`,
          severity: problem.severity,
        },
      }),
    );
  }
}
