import { DYNAMIC, encodeMsgpack, type Value } from '@terrane/cty';
import { TERRANE_VERSION } from '../lang/version.ts';
import { eventToJson } from '../state/event-json.ts';
import type { State } from '../state/model.ts';
import { sensitivePathsToJson } from '../state/sensitive-paths.ts';
import { stateFileBytes } from '../state/statefile-write.ts';
import type { PlannedChange, PlannedInvocation } from '../objects/change.ts';
import type { Plan } from './model.ts';
import type {
  PlanOrigin,
  StoredChange,
  StoredInvocation,
  StoredRecord,
  StoredValue,
} from './plan-records.ts';

/** The number of bytes of state per line, so that no part of a plan becomes a single string. */
const PART = 1 << 20;

function headRecord(plan: Plan, origin: PlanOrigin): StoredRecord {
  const {
    mode,
    timestamp,
    applyable,
    complete,
    errored,
    targets,
    excludes,
    deferredModules,
    replace,
    terraformVersion,
    checks,
    applyTimeVariables,
  } = plan;
  return {
    k: 'head',
    head: {
      mode,
      timestamp,
      applyable,
      complete,
      errored,
      targets,
      excludes,
      deferredModules,
      replace,
      terraformVersion,
      checks,
      origin,
      applyTimeVariables,
      terraneVersion: TERRANE_VERSION,
      ...(plan.purpose === undefined ? {} : { purpose: plan.purpose }),
      ...(plan.annotations === undefined
        ? {}
        : { annotations: Object.fromEntries(plan.annotations) }),
    },
  };
}

/** Yields the lines that represent a plan, except for the last. */
export function* planRecords(plan: Plan, origin: PlanOrigin): Iterable<StoredRecord> {
  yield headRecord(plan, origin);
  for (const [name, source] of plan.configuration.sources)
    yield { k: 'source', name, text: source.text };
  for (const [name, value] of plan.variables)
    yield { k: 'variable', name, value: storeValue(value) };
  for (const [name, origin] of plan.variableOrigins ?? []) yield { k: 'origin', name, origin };
  for (const change of plan.changes) yield { k: 'change', change: storeChange(change) };
  for (const change of plan.drift) yield { k: 'drift', change: storeChange(change) };
  for (const { change, reason } of plan.deferred)
    yield { k: 'deferred', change: storeChange(change), reason };
  for (const { invocation, reason } of plan.deferredInvocations)
    yield { k: 'deferred-invocation', invocation: storeInvocation(invocation), reason };
  for (const output of plan.outputs) {
    const { name, action, sensitive } = output;
    yield {
      k: 'output',
      output: {
        name,
        action,
        sensitive,
        before: storeValue(output.before),
        after: storeValue(output.after),
      },
    };
  }
  for (const planned of plan.invocations)
    yield { k: 'invocation', invocation: storeInvocation(planned) };
  for (const step of plan.steps) {
    yield { k: 'step', step: 'addr' in step ? { ...step, addr: step.addr.text } : { ...step } };
  }
  for (const { resource, attribute } of plan.relevant) {
    yield { k: 'relevant', resource, path: sensitivePathsToJson([attribute]) };
  }
  for (const result of plan.functionResults) yield { k: 'function', function: result };
  for (const event of plan.adopted) yield { k: 'event', event: eventToJson(event) };
  yield* stateRecords('prior', plan.priorState);
  if (plan.previousState !== plan.priorState) yield* stateRecords('previous', plan.previousState);
}

function* stateRecords(which: 'prior' | 'previous', state: State): Iterable<StoredRecord> {
  const bytes = stateFileBytes({ state, lineage: 'plan', serial: 1, terraformVersion: '' });
  for (let at = 0; at < bytes.length; at += PART) {
    yield {
      k: 'state',
      which,
      part: Buffer.from(bytes.subarray(at, at + PART)).toString('base64'),
    };
  }
}

function storeValue(value: Value): StoredValue {
  const { value: plain, paths } = value.unmarkDeepWithPaths();
  const sensitive = paths.filter(({ marks }) => marks.has('sensitive')).map(({ path }) => path);
  return [
    Buffer.from(encodeMsgpack(plain, DYNAMIC)).toString('base64'),
    sensitivePathsToJson(sensitive),
  ];
}

function storeChange(change: PlannedChange): StoredChange {
  const { addr, previousAddr, deposed, provider, action, reason, before, after } = change;
  const { disabledModule } = change;
  return {
    addr: addr.text,
    ...(previousAddr === addr ? {} : { previous: previousAddr.text }),
    ...(deposed === undefined ? {} : { deposed }),
    provider: provider.text,
    action,
    ...(reason === undefined ? {} : { reason }),
    ...(disabledModule === undefined ? {} : { disabledModule }),
    before: storeValue(before),
    ...(before === after ? {} : { after: storeValue(after) }),
    version: change.schemaVersion,
    replace: sensitivePathsToJson(change.requiredReplace),
    ...(change.private === undefined
      ? {}
      : { private: Buffer.from(change.private).toString('base64') }),
    ...(change.importing === undefined ? {} : { importing: storeImporting(change.importing) }),
    ...(change.generatedConfig === undefined ? {} : { generated: change.generatedConfig }),
    ...(change.beforeIdentity === undefined ? {} : { identity: storeValue(change.beforeIdentity) }),
    ...(change.afterIdentity === undefined
      ? {}
      : { newIdentity: storeValue(change.afterIdentity) }),
  };
}

function storeImporting({
  id,
  identity,
}: NonNullable<PlannedChange['importing']>): NonNullable<StoredChange['importing']> {
  return {
    ...(id === undefined ? {} : { id }),
    ...(identity === undefined ? {} : { identity: storeValue(identity) }),
  };
}

function storeInvocation({ addr, provider, config, trigger }: PlannedInvocation): StoredInvocation {
  const common = { addr: addr.text, provider: provider.text, config: storeValue(config) };
  if (trigger.kind === 'lifecycle')
    return { ...common, trigger: { ...trigger, resource: trigger.resource.text } };
  const { kind, caller } = trigger;
  return { ...common, trigger: caller === undefined ? { kind } : { kind, caller: caller.text } };
}
