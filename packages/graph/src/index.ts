export { componentsOf, type Components } from './components.ts';
export { Graph, GraphBuilder, graphOf, reversed } from './graph.ts';
export { cycleThrough, orderOf, type Order } from './order.ts';
export { Reachability } from './reach.ts';
export { transitiveReduction } from './reduction.ts';
export {
  CycleError,
  type Gate,
  type Outcome,
  type Ran,
  schedule,
  type Schedule,
  type Scheduled,
} from './schedule.ts';
