import { type NamedGraph, NamedGraphBuilder } from '../evaluate/named-graph.ts';
import type { Plan } from './model.ts';
import type { Step, StepId } from './step.ts';

/** Returns the graph of the steps of a plan. */
export function applyGraph(plan: Plan): NamedGraph {
  const graph = new NamedGraphBuilder();
  const after = withoutSmallJoins(plan.steps);
  const ids = new Map<StepId, number>();
  for (const step of plan.steps) {
    if (after.has(step.id)) ids.set(step.id, addStep(graph, plan, step));
  }
  for (const [later, id] of ids) {
    for (const earlier of after.get(later) ?? []) graph.after(id, ids.get(earlier) ?? id);
  }
  graph.addRoot('root');
  return graph.build();
}

/** A join is kept if replacing it would multiply its edges by more than this factor. */
const FAN = 10;

/** Returns the predecessors of each step, with joins removed unless that would add many edges. */
function withoutSmallJoins(steps: readonly Step[]): ReadonlyMap<StepId, ReadonlySet<StepId>> {
  const after = new Map(steps.map((step) => [step.id, new Set(step.after)]));
  const before = new Map(steps.map(({ id }) => [id, new Set<StepId>()]));
  for (const { id, after: earlier } of steps)
    for (const predecessor of earlier) before.get(predecessor)?.add(id);
  for (const { id, kind } of steps) {
    const [earlier, later] = [after.get(id), before.get(id)];
    if (kind !== 'join' || earlier === undefined || later === undefined) continue;
    if (earlier.size * later.size > FAN * (earlier.size + later.size)) continue;
    for (const predecessor of earlier) before.get(predecessor)?.delete(id);
    for (const successor of later) after.get(successor)?.delete(id);
    for (const from of later) for (const to of earlier) after.get(from)?.add(to);
    for (const to of earlier) for (const from of later) before.get(to)?.add(from);
    after.delete(id);
  }
  return after;
}

/** Adds the node of a step and returns its number. */
function addStep(graph: NamedGraphBuilder, plan: Plan, step: Step): number {
  switch (step.kind) {
    case 'create':
    case 'update':
    case 'read':
      return graph.addResource(step.addr.text, step.addr.config);
    case 'delete':
    case 'forget': {
      const operation = step.kind === 'delete' ? 'destroy' : 'forget';
      const deposed = step.deposed === undefined ? '' : ` deposed ${step.deposed}`;
      return graph.addResource(`${step.addr.text} (${operation}${deposed})`, step.addr.config);
    }
    case 'check':
      return graph.add(`${step.addr.text} (conditions)`, 'other');
    case 'invoke': {
      const invocation = plan.invocations[step.invocation];
      return graph.add(`${invocation?.addr.text ?? 'action'} (invoke)`, 'other');
    }
    case 'evaluate':
      return graph.add(step.module === '' ? step.key : `${step.module}.${step.key}`, 'other');
    case 'join':
      return graph.add(`(step ${step.id})`, 'other');
  }
}
