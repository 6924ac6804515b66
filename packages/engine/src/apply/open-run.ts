import { str, type Value } from '@terrane/cty';
import { functionTable } from '@terrane/functions';
import { createPool } from '@terrane/host';
import { createBeforeDestroyNodes, DependencyIndex } from '../evaluate/dependencies.ts';
import { Evaluation } from '../evaluate/evaluation.ts';
import { FunctionResults } from '../evaluate/function-results.ts';
import type { Program } from '../evaluate/program.ts';
import type { PlannedChange } from '../objects/change.ts';
import type { Plan } from '../plan/model.ts';
import { Ephemerals } from '../session/ephemerals.ts';
import { ProviderSessions } from '../session/provider-sessions.ts';
import { InstanceMap } from '../state/instance-map.ts';
import { invocationIndex } from './invoke.ts';
import { type ApplyCounts, type ApplyInput, type ApplyRun, deposedKeyText } from './request.ts';
import { resourcesUnreadByApply } from './unread-resources.ts';

/** Opens the run of a plan: its evaluation, provider sessions and indexes of the planned changes. Calls no provider. */
export function openApplyRun(request: ApplyInput, program: Program): ApplyRun {
  const { plan, recorder, schemas } = request;
  const sessions = new ProviderSessions(request.providers, schemas);
  const evaluation = openEvaluation(request, program, sessions);
  const dependencies = new DependencyIndex(program);
  return {
    request,
    plan,
    program,
    evaluation,
    sessions,
    ephemerals: new Ephemerals(request),
    recorder,
    dependencies,
    pool: createPool(request.parallelism),
    ...changeIndex(plan.changes),
    plannedOutputs: knownOutputs(plan),
    // References to an instance never mean a deposed object.
    deferred: new Map(
      plan.deferred.flatMap(({ change }) =>
        change.deposed === undefined ? [[change.addr, change] as const] : [],
      ),
    ),
    invocations: invocationIndex(plan.invocations),
    createsFirst: createBeforeDestroyNodes(dependencies),
    unread: resourcesUnreadByApply(request, program),
    counts: noCounts(),
    halted: [],
  };
}

/** Returns counts of zero. */
export function noCounts(): ApplyCounts {
  return {
    added: 0,
    changed: 0,
    removed: 0,
    forgotten: 0,
    imported: 0,
    invoked: 0,
    actionsFailed: 0,
  };
}

function openEvaluation(
  request: ApplyInput,
  program: Program,
  sessions: ProviderSessions,
): Evaluation {
  const { plan, cwd, workspace } = request;
  const options = { baseDir: '.', pure: false, plantimestamp: str(plan.timestamp) };
  const results = new FunctionResults(plan.functionResults);
  const evaluation = new Evaluation(program, {
    purpose: 'apply',
    warns: request.warnsOfDeprecations ?? false,
    functions: functionTable(request.functions, {
      ...options,
      verifyResult: (name, args, result) => results.verify(name, args, result),
    }),
    providerBlockFunctions: () => functionTable(request.functions, options),
    cwd,
    workspace,
    sessions,
    functionResults: results,
    deferring: plan.deferred.length + plan.deferredModules.length > 0,
    moduleOverride: request.moduleOverride,
  });
  evaluation.checks.foresee(plan.checks);
  return evaluation;
}

function changeIndex(
  changes: readonly PlannedChange[],
): Pick<ApplyRun, 'changes' | 'deposedChanges'> {
  const current = new InstanceMap<PlannedChange>();
  const deposed = new Map<string, PlannedChange>();
  for (const change of changes) {
    if (change.deposed === undefined) current.set(change.addr, change);
    else deposed.set(deposedKeyText(change.addr, change.deposed), change);
  }
  return { changes: current, deposedChanges: deposed };
}

/** Returns the root outputs whose planned values are wholly known. */
function knownOutputs(plan: Plan): ReadonlyMap<string, Value> {
  const knownValues = new Map<string, Value>();
  for (const { name, after } of plan.outputs)
    if (after.isWhollyKnown()) knownValues.set(name, after);
  return knownValues;
}
