import { AbsResource, type InstanceAddr, UNKNOWN_KEY } from '@terrane/addresses';
import { Bug, type Type, unknownOf, type Value } from '@terrane/cty';
import { type Diagnostic, errorDiagnostic } from '@terrane/hcl';
import { impliedType } from '@terrane/provider';
import { expandAction } from '../evaluate/action-config.ts';
import { type NodeOutcome, settleNode } from '../evaluate/driver.ts';
import { evaluateExpansion } from '../evaluate/expansion.ts';
import { ResourceCell } from '../evaluate/module-cells.ts';
import { evaluateCheck, evaluateNamed } from '../evaluate/named-values.ts';
import type { CallNode, ResourceNode } from '../evaluate/node.ts';
import { configureProvider } from '../evaluate/provider-node.ts';
import { keysOf } from '../evaluate/repetition.ts';
import { setLeft, setStored } from '../evaluate/set-stored.ts';
import type { Resource } from '../config/model.ts';
import { isOpenModule } from '../plan/deferral.ts';
import { configAddr } from '../plan/dependencies.ts';
import { openExpansion } from '../plan/open-expansion.ts';
import { openEphemerals, type OpeningRun } from '../plan/ephemeral-resource.ts';
import { schemaOf } from '../plan/resource.ts';
import type { ApplyRun } from './request.ts';

/** Works out a node of the program with what is final by now. */
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
      return configureProvider(evaluation, run.sessions, node);
    case 'resource':
      if (node.resource.addr.mode !== 'ephemeral') {
        return settleNode(evaluation, (found) => openResource(run, node, found));
      }
      return openEphemerals(openingRun(run), node);
    case 'close':
      return run.ephemerals.closeAll(configAddr(node).text);
    case 'check':
      return settleNode(evaluation, (found) => evaluateCheck(evaluation, node, found));
    case 'moduleEnd':
      return [];
    case 'action':
      return settleNode(evaluation, (found) => expandAction(evaluation, node, found));
    default: {
      const settings = {
        inputs: request.variables,
        given: evaluation.warns ? run.plan.variables : undefined,
        plannedOutputs: run.plannedOutputs,
        conditionSeverity: 'error',
      } as const;
      return settleNode(evaluation, (found) => {
        if (node.kind === 'call' && evaluation.deferring) expandOpen(run, node, found);
        else evaluateNamed(evaluation, node, settings, found);
      });
    }
  }
}

/** Expands a call: where its instances were not known to the plan, they still count as not known. */
function expandOpen({ evaluation, plan }: ApplyRun, node: CallNode, found: Diagnostic[]): void {
  for (const cells of evaluation.instancesOf(node.module)) {
    const open = cells.instance.child(node.call.name, UNKNOWN_KEY);
    const expansion = plan.deferredModules.includes(open.text)
      ? ({
          kind: 'unknown' as const,
          by: node.call.count === undefined ? 'forEach' : 'count',
        } as const)
      : evaluateExpansion(node.call, evaluation.scope(cells), false, found);
    if (expansion !== undefined) evaluation.expandCall(cells, node.call.name, expansion);
  }
}

function openingRun({ evaluation, sessions, ephemerals, pool, request }: ApplyRun): OpeningRun {
  const { schemas, parallelism } = request;
  return { evaluation, sessions, ephemerals, pool, schemas, parallelism };
}

/** Makes the cells of a resource: what does not change has its value at once. */
function openResource(run: ApplyRun, node: ResourceNode, diagnostics: Diagnostic[]): void {
  const { evaluation, plan, changes } = run;
  const { resource, module } = node;
  const type = impliedType(schemaOf(run.request, node).block);
  const conditions = resource.preconditions.length + resource.postconditions.length;
  for (const cells of evaluation.instancesOf(module)) {
    const abs = AbsResource.of(cells.instance, resource.addr);
    const waiting = run.deferred.get(abs.instance(UNKNOWN_KEY));
    if (waiting !== undefined || isOpenModule(cells.instance)) {
      cells.resources.set(resource.addr.text, openCell(resource, type, waiting?.after));
      continue;
    }
    const scope = evaluation.scope(cells);
    const expansion = evaluateExpansion(resource, scope, false, diagnostics);
    if (expansion === undefined) continue;
    const cell = new ResourceCell(resource, type, expansion);
    cells.resources.set(resource.addr.text, cell);
    if (conditions > 0) {
      evaluation.checks.declare('resource', abs.config.text);
      evaluation.checks.expect(
        abs.config.text,
        keysOf(expansion).map((key) => abs.instance(key).text),
      );
    }
    if (plan.mode === 'refresh-only' && resource.addr.mode === 'managed') {
      setLeft(cell, plan.priorState, abs, () => true, diagnostics);
      cell.keepToExisting();
    } else if (!plan.complete) {
      const stays = (addr: InstanceAddr): boolean => !changes.has(addr);
      setLeft(cell, plan.priorState, abs, stays, diagnostics);
    }
    for (const key of keysOf(expansion)) {
      const addr = abs.instance(key);
      const change = changes.get(addr);
      if (change?.action === 'no-op') {
        cell.set(key, change.after);
      } else if (run.deferred.has(addr)) {
        cell.set(key, run.deferred.get(addr)?.after ?? unknownOf(type));
      } else if (change === undefined) {
        const stored = plan.priorState.instance(addr)?.current;
        if (stored !== undefined) setStored(cell, addr, stored, diagnostics);
        else if (plan.mode === 'normal' && plan.complete) diagnostics.push(unplanned(addr.text));
      }
    }
  }
}

/** What stands for instances that are still not known, or not to be, in this run. */
function openCell(resource: Resource, type: Type, value: Value | undefined): ResourceCell {
  const expansion = openExpansion(resource);
  const cell = new ResourceCell(resource, type, expansion);
  if (value !== undefined) cell.set(keysOf(expansion)[0], value);
  return cell;
}

/** The configuration now asks for an instance that the plan knows nothing of. */
function unplanned(address: string): Diagnostic {
  return errorDiagnostic(
    'Instances changed since the plan was made',
    `With the final values, the configuration asks for ${address}, which the plan does not have. Its "count" or "for_each" depends on something that changed while the plan was applied. Make a new plan and apply that.`,
  );
}
