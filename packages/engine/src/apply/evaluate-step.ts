import { UNKNOWN_KEY } from '@terrane/addresses';
import { Bug } from '@terrane/cty';
import { type Diagnostic, errorDiagnostic } from '@terrane/hcl';
import { chain } from '@terrane/provider';
import {
  commitExpansion,
  type ExpandedResource,
  expandResource,
  type ExpansionOptions,
} from '../objects/expand-resource.ts';
import type { EvaluationPass } from '../config/evaluation-pass.ts';
import { expandAction } from '../evaluate/action-config.ts';
import { type NodeOutcome, evaluateExpressions } from '../evaluate/driver.ts';
import { evaluateExpansion } from '../evaluate/expansion.ts';
import { evaluateCheck, evaluateNamed, type NamedSettings } from '../evaluate/named-values.ts';
import type { CallNode, ResourceNode } from '../evaluate/node.ts';
import { declareProvider } from '../evaluate/provider-node.ts';
import { keysOf } from '../evaluate/repetition.ts';
import { setStored } from '../evaluate/set-stored.ts';
import { configAddr } from '../evaluate/dependencies.ts';
import { openEphemerals, type OpeningRun } from '../objects/ephemeral-resource.ts';
import { schemaOf } from '../objects/schema-of.ts';
import type { ApplyRun } from './request.ts';

/** Evaluates a node of the program with final values. */
export function evaluateNode(
  run: ApplyRun,
  module: string,
  key: string,
): NodeOutcome | Promise<NodeOutcome> {
  const { evaluation, program, request } = run;
  const owner = program.configuration.modules.get(module);
  const node = owner === undefined ? undefined : program.find(owner, key);
  if (node === undefined)
    throw new Bug(`the plan has a step for ${module} ${key}, the configuration does not`);
  switch (node.kind) {
    case 'provider':
      return declareProvider(evaluation, run.sessions, node);
    case 'resource':
      if (node.resource.addr.mode !== 'ephemeral') {
        return openResource(run, node);
      }
      return openEphemerals(openingRun(run), node);
    case 'close':
      return run.ephemerals.closeAll(configAddr(node).text);
    case 'check':
      return evaluateExpressions(evaluation, (pass) => evaluateCheck(evaluation, node, pass));
    case 'moduleEnd':
      return [];
    case 'action':
      return evaluateExpressions(evaluation, (pass) => expandAction(evaluation, node, pass));
    default: {
      const settings: NamedSettings = {
        inputs: request.variables,
        suppliedInputs: evaluation.warns ? run.plan.variables : undefined,
        plannedOutputs: run.plannedOutputs,
        conditionSeverity: 'error',
      };
      return evaluateExpressions(evaluation, (pass) => {
        if (node.kind === 'call' && evaluation.deferring) expandOpen(run, node, pass);
        else evaluateNamed(evaluation, node, settings, pass);
      });
    }
  }
}

/** Expands a module call. Instances that were unknown in the plan remain unknown. */
function expandOpen({ evaluation, plan }: ApplyRun, node: CallNode, pass: EvaluationPass): void {
  for (const cells of evaluation.instancesOf(node.module)) {
    const open = cells.instance.child(node.call.name, UNKNOWN_KEY);
    const expansion = plan.deferredModules.includes(open.text)
      ? ({
          kind: 'unknown' as const,
          by: node.call.count === undefined ? 'forEach' : 'count',
        } as const)
      : evaluateExpansion(node.call, evaluation.scope(cells), false, pass.diagnostics);
    if (expansion !== undefined)
      pass.commit(() => void evaluation.expandCall(cells, node.call.name, expansion));
  }
}

function openingRun({ evaluation, sessions, ephemerals, pool, request }: ApplyRun): OpeningRun {
  const { schemas, parallelism } = request;
  return { evaluation, sessions, ephemerals, pool, schemas, parallelism };
}

/** Expands a resource with final values and sets the values of instances that no step changes. */
function openResource(run: ApplyRun, node: ResourceNode): NodeOutcome | Promise<NodeOutcome> {
  const { evaluation, deferred } = run;
  const diagnostics: Diagnostic[] = [];
  const keptState = keptInstances(run, node);
  const options: ExpansionOptions = {
    deferring: false,
    deferredValue: (address) => deferred.get(address.instance(UNKNOWN_KEY))?.after,
    ...(keptState === undefined ? {} : { kept: keptState }),
    discardsValues: run.unread.has(node),
  };
  const schema = schemaOf(run.request, node);
  const expanding = evaluation.evaluate(diagnostics, (pass) => {
    const expanded = expandResource(evaluation, node, schema, options, pass.diagnostics);
    for (const each of expanded) if (!each.isUnknown) setUnchanged(run, each, pass.diagnostics);
    return expanded;
  });
  return chain(expanding, (expanded) => {
    commitExpansion(evaluation, node, expanded);
    return diagnostics;
  });
}

/** Returns the stored instances without planned changes that references still resolve to. */
function keptInstances(
  { plan, changes }: ApplyRun,
  { resource }: ResourceNode,
): ExpansionOptions['kept'] {
  const { mode, priorState: state } = plan;
  if (mode === 'refresh-only' && resource.addr.mode === 'managed')
    return { state, isKept: () => true, existingOnly: true };
  if (plan.complete) return undefined;
  return { state, isKept: (addr) => !changes.has(addr), existingOnly: false };
}

/** Sets the values of the instances that no step changes. */
function setUnchanged(
  { plan, changes, deferred }: ApplyRun,
  { address, cell }: ExpandedResource,
  diagnostics: Diagnostic[],
): void {
  for (const key of keysOf(cell.expansion)) {
    const addr = address.instance(key);
    const change = changes.get(addr);
    const deferredChange = deferred.get(addr);
    if (change?.action === 'no-op') {
      cell.set(key, change.after);
    } else if (deferredChange !== undefined) {
      cell.set(key, deferredChange.after);
    } else if (change === undefined) {
      const storedObject = plan.priorState.instance(addr)?.current;
      if (storedObject !== undefined) setStored(cell, addr, storedObject, diagnostics);
      else if (plan.mode === 'normal' && plan.complete)
        diagnostics.push(unplannedInstanceError(addr.text));
    }
  }
}

/** The error for an instance in the final configuration that is missing from the plan. */
function unplannedInstanceError(address: string): Diagnostic {
  return errorDiagnostic(
    'Instances changed since the plan was made',
    `With the final values, the configuration declares ${address}, which is not in the plan. Its "count" or "for_each" depends on something that changed while the plan was applied. Create a new plan and apply it.`,
  );
}
