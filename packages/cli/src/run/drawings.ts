import { Bug } from '@terrane/cty';
import {
  type Plan,
  planGraph,
  resourceGraph,
  type ResourceGraph,
  type State,
} from '@terrane/engine';
import {
  drawingPage,
  drawingSvg,
  drawPlan,
  drawState,
  outputChangesText,
  summaryText,
} from '@terrane/render';
import { plannedCounts } from '../views/planned-counts.ts';

/** The format of a drawing: an HTML page or an SVG picture. */
export type DrawnForm = 'html' | 'svg';

/** Returns the format that flags select. */
export function drawnForm(values: {
  readonly html: boolean;
  readonly svg: boolean;
}): DrawnForm | undefined {
  if (values.html) return 'html';
  return values.svg ? 'svg' : undefined;
}

/** Draws a plan: its resources and their changes. */
export function drawnPlan(plan: Plan, form: DrawnForm): string {
  const { graph } = planGraph(plan.configuration, plan.schemas, plan.priorState);
  // A configuration that could be planned has no cycle.
  if (graph === undefined) throw new Bug('the configuration of a plan has a cycle');
  const drawing = drawPlan(resourceGraph(graph), plan);
  if (form === 'svg') return drawingSvg(drawing);
  return drawingPage(drawing, {
    title: TITLES[plan.mode],
    summary: summaryText({
      kind: 'change-summary',
      operation: 'plan',
      ...plannedCounts(plan),
      actions: plan.invocations.length,
    }),
    notes: outputChangesText(plan, { color: true, width: 100 }),
  });
}

const TITLES: Readonly<Record<Plan['mode'], string>> = {
  normal: 'Plan',
  destroy: 'Plan to destroy everything',
  'refresh-only': 'What has changed outside',
};

/** The resources of a configuration and a state, drawn. */
export function drawnResources(graph: ResourceGraph, state: State, form: DrawnForm): string {
  const drawing = drawState(graph, state);
  if (form === 'svg') return drawingSvg(drawing);
  const { length } = graph.resources;
  return drawingPage(drawing, {
    title: 'Resources',
    summary: `${length} ${length === 1 ? 'resource' : 'resources'}, ${state.instanceCount} ${state.instanceCount === 1 ? 'instance' : 'instances'} in the state.`,
    notes: '',
  });
}
