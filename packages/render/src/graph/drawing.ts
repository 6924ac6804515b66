import type { Plan, ResourceGraph, State } from '@terrane/engine';
import { changeText } from '../human/plan-text.ts';
import { markedText } from './marked-text.ts';
import { nestedLayout, type Rectangle } from './nested-layout.ts';

/** The visible action of a drawn resource. */
export type DrawnAction = 'none' | 'create' | 'update' | 'replace' | 'delete' | 'read' | 'forget';

/** A drawn resource instance. */
export interface DrawnInstance {
  readonly address: string;
  readonly action: DrawnAction;
  /** the rendered planned change, without sensitive values */
  readonly text: string;
  /** a mark for each line of it, as in `MarkedText` */
  readonly marks: string;
}

/** A resource in a drawing: `left` and `top` of its box, in pixels. */
export interface DrawnResource {
  readonly address: string;
  /** address within its module */
  readonly label: string;
  readonly module: string;
  readonly action: DrawnAction;
  readonly left: number;
  readonly top: number;
  readonly instances: readonly DrawnInstance[];
}

/** The frame of a module. */
export interface DrawnFrame extends Readonly<Rectangle> {
  readonly address: string;
}

/** Resources with their positions, and edges between them, each from a dependency to its dependent. */
export interface Drawing {
  readonly resources: readonly DrawnResource[];
  /** frames of modules, outer ones first */
  readonly frames: readonly DrawnFrame[];
  /** numbers of resources */
  readonly lines: readonly (readonly [from: number, to: number])[];
  /** the points of each line around the boxes, as x and y in turn; empty beyond {@link MAX_POINTS} */
  readonly routes: readonly (readonly number[])[];
  readonly width: number;
  readonly height: number;
}

/** Limit of coordinates in routes, which would be most of a large page. */
const MAX_POINTS = 200_000;

const ACTIONS = {
  'no-op': 'none',
  create: 'create',
  update: 'update',
  delete: 'delete',
  read: 'read',
  forget: 'forget',
  'create-then-delete': 'replace',
  'delete-then-create': 'replace',
  'create-then-forget': 'replace',
  'forget-then-create': 'replace',
} as const;

/** Actions of one resource by precedence. */
const WEIGHT: readonly DrawnAction[] = [
  'delete',
  'replace',
  'create',
  'update',
  'forget',
  'read',
  'none',
];

/** Draws the resources of a plan, with the actions of their instances. */
export function drawPlan(graph: ResourceGraph, plan: Plan): Drawing {
  const instances = new Map<string, DrawnInstance[]>();
  for (const change of plan.changes) {
    const { text: address, config } = change.addr;
    const deposed = change.deposed === undefined ? '' : ` (deposed object ${change.deposed})`;
    const changeLines = markedText(changeText(plan, change, { color: true, width: 100 }));
    const action = ACTIONS[change.action];
    add(instances, config.text, { address: address + deposed, action, ...changeLines });
  }
  return draw(graph, instances);
}

/** The resources of a configuration and a state, with the instances that the state has. */
export function drawState(graph: ResourceGraph, state: State): Drawing {
  const instances = new Map<string, DrawnInstance[]>();
  for (const { text: address, config } of state.instances()) {
    add(instances, config.text, { address, action: 'none', text: '', marks: '' });
  }
  return draw(graph, instances);
}

function add(to: Map<string, DrawnInstance[]>, resource: string, instance: DrawnInstance): void {
  const instances = to.get(resource);
  if (instances === undefined) to.set(resource, [instance]);
  else instances.push(instance);
}

function draw(
  { resources, edges }: ResourceGraph,
  instancesOf: ReadonlyMap<string, readonly DrawnInstance[]>,
): Drawing {
  const layout = nestedLayout(
    resources.map(({ module }) => outerModules(module.text)),
    edges,
  );
  const lines: (readonly [number, number])[] = [];
  const routes: (readonly number[])[] = [];
  let points = 0;
  const drawn = resources.map((address, node): DrawnResource => {
    for (const target of edges.edgesOf(node)) {
      lines.push([target, node]);
      const route = points < MAX_POINTS ? layout.route(target, node) : [];
      points += route.length;
      routes.push(route);
    }
    const instances = instancesOf.get(address.text) ?? [];
    const actions = new Set(instances.map(({ action }) => action));
    return {
      address: address.text,
      label: address.resource.text,
      module: address.module.text,
      action: WEIGHT.find((action) => actions.has(action)) ?? 'none',
      left: layout.nodes[node]?.left ?? 0,
      top: layout.nodes[node]?.top ?? 0,
      instances,
    };
  });
  const frames = [...layout.frames].map(([address, { left, top, width, height }]) => ({
    ...{ address, left, top, width, height },
  }));
  const { width, height } = layout;
  return { resources: drawn, frames, lines, routes, width, height };
}

/** Returns the addresses of a module and of those that contain it, outermost first; none for the root module. */
function outerModules(address: string): readonly string[] {
  // A step is "module." and a name, which has no dots.
  return Array.from(address.matchAll(/module\.[^.]+/g), ({ 0: step, index }) =>
    address.slice(0, index + step.length),
  );
}
