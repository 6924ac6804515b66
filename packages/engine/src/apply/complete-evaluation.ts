import { AbsResource } from '@terrane/addresses';
import { chain, impliedType } from '@terrane/provider';
import { drive, type NodeOutcome, evaluateExpressions } from '../evaluate/driver.ts';
import type { ModuleCells } from '../evaluate/module-cells.ts';
import { evaluateNamed, isNamed, type NamedNode } from '../evaluate/named-values.ts';
import type { ResourceNode } from '../evaluate/node.ts';
import { priorCell } from '../evaluate/prior-cell.ts';
import { keysOf } from '../evaluate/repetition.ts';
import { setStored } from '../evaluate/set-stored.ts';
import { schemaOf } from '../objects/schema-of.ts';
import type { State } from '../state/model.ts';
import type { ApplyRun } from './request.ts';

/**
 * Evaluates the nodes that no step of an apply evaluated, for the assertions of tests. Existing values are not
 * evaluated again, so that impure functions are not called twice.
 */
export async function completeEvaluation(run: ApplyRun, state: State): Promise<void> {
  const { evaluation, program, request } = run;
  const named = { inputs: request.variables, conditionSeverity: undefined } as const;
  const work = (node: (typeof program.nodes)[number]): NodeOutcome | Promise<NodeOutcome> => {
    if (node.kind === 'resource') {
      completeResource(run, node, state);
      return [];
    }
    if (!isNamed(node) || node.kind === 'validation') return [];
    const missing = evaluation.instancesOf(node.module).some((cells) => !isEvaluated(node, cells));
    if (!missing) return [];
    const outcome = evaluateExpressions(evaluation, (pass) =>
      evaluateNamed(evaluation, node, named, pass),
    );
    // The plan or a step has reported all errors.
    return chain(outcome, () => []);
  };
  await drive(program, { run: work, limit: 1 });
}

function isEvaluated(node: NamedNode, cells: ModuleCells): boolean {
  switch (node.kind) {
    case 'variable':
      return cells.variables.has(node.variable.name);
    case 'validation':
      return true;
    case 'local':
      return cells.locals.has(node.local.name);
    case 'output':
      return cells.outputs.has(node.output.name);
    case 'call':
      return cells.calls.has(node.call.name);
  }
}

function completeResource(run: ApplyRun, node: ResourceNode, state: State): void {
  const { resource, module } = node;
  if (resource.addr.mode === 'ephemeral') return;
  const type = impliedType(schemaOf(run.request, node).block);
  for (const cells of run.evaluation.instancesOf(module)) {
    const cell = cells.resources.get(resource.addr.text);
    if (cell === undefined) {
      cells.setResource(resource.addr.text, priorCell(resource, cells.instance, type, state));
      continue;
    }
    const abs = AbsResource.of(cells.instance, resource.addr);
    for (const key of keysOf(cell.expansion)) {
      if (cell.values.has(key)) continue;
      const addr = abs.instance(key);
      const storedObject = state.instance(addr)?.current;
      if (storedObject !== undefined) setStored(cell, addr, storedObject, []);
    }
  }
}
