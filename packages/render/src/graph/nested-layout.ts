import { type Graph, GraphBuilder } from '@terrane/graph';
import { layeredColumns } from './layered-layout.ts';

/** Sizes in pixels: of a box, of the space between columns and rows, and around the drawing and inside of frames. */
export const BOX = {
  width: 260,
  height: 34,
  across: 70,
  along: 16,
  margin: 24,
  inset: 14,
  title: 26,
} as const;

/** A rectangle, in pixels. */
export interface Rectangle {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** A layout of nodes in nested frames. */
export interface NestedLayout {
  readonly nodes: readonly Rectangle[];
  /** frames by group, outer ones first */
  readonly frames: ReadonlyMap<string, Rectangle>;
  /** the points of an edge from a dependency to its dependent, as x and y in turn */
  readonly route: (dependency: number, dependent: number) => readonly number[];
  readonly width: number;
  readonly height: number;
}

interface Column {
  /** left and right, relative to the group until it is placed */
  left: number;
  right: number;
  /** the middles of the spaces above, between and below its items */
  gaps: number[];
}

/** A node, or a group with its content. */
interface Item extends Rectangle {
  readonly parent: Item | undefined;
  readonly depth: number;
  readonly children: Item[];
  readonly edges: (readonly [from: Item, to: Item])[];
  columns: Column[];
  /** its place among the children of its group, and the number of its column */
  index: number;
  column: number;
}

/**
 * Lays out a graph whose nodes are in groups, each inside a frame. `groups` has the path of each node's group, from the
 * outermost to the innermost. Inside of each frame, dependencies are to the left of their dependents.
 */
export function nestedLayout(groups: readonly (readonly string[])[], graph: Graph): NestedLayout {
  const root = newItem(undefined);
  const frames = new Map<string, Item>();
  const nodes = groups.map((path) => {
    let parent = root;
    for (const group of path) {
      const existing = frames.get(group) ?? newItem(parent);
      frames.set(group, existing);
      parent = existing;
    }
    return Object.assign(newItem(parent), { width: BOX.width, height: BOX.height });
  });
  for (const [node, from] of nodes.entries()) {
    for (const target of graph.edgesOf(node)) {
      const to = nodes[target];
      if (to === undefined || to === from) continue;
      const [a, b] = siblings(from, to);
      a.parent?.edges.push([a, b]);
    }
  }
  // A group is created before the groups inside of it.
  for (const group of [...frames.values()].reverse()) arrange(group, BOX.inset, BOX.title);
  arrange(root, BOX.margin, BOX.margin);
  for (const group of frames.values()) moveInto(group);
  for (const node of nodes) moveInto(node);
  const route = (dependency: number, dependent: number): readonly number[] => {
    const [from, to] = [nodes[dependency], nodes[dependent]];
    return from === undefined || to === undefined ? [] : routeOf(from, to);
  };
  return { nodes, frames, route, width: root.width, height: root.height };
}

function newItem(parent: Item | undefined): Item {
  const item: Item = {
    ...{ left: 0, top: 0, width: 0, height: 0, index: parent?.children.length ?? 0, column: 0 },
    ...{ parent, depth: (parent?.depth ?? -1) + 1, children: [], edges: [], columns: [] },
  };
  parent?.children.push(item);
  return item;
}

/** Returns the items that contain two items, or are them, and are in one group. */
function siblings(from: Item, to: Item): readonly [Item, Item] {
  let [a, b] = [from, to];
  while (a.parent !== b.parent) {
    if (a.depth >= b.depth) a = a.parent ?? a;
    else b = b.parent ?? b;
  }
  return [a, b];
}

/** Places the children of a group relative to it, and determines its size. */
function arrange(group: Item, inset: number, top: number): void {
  const { children } = group;
  const builder = new GraphBuilder(children.length);
  for (const [{ index: from }, { index: to }] of group.edges) builder.addEdge(from, to);
  const heightOf = (node: number): number => (children[node]?.height ?? 0) + BOX.along;
  // About twice as wide as high.
  const area = children.reduce(
    (sum, { width }, node) => sum + (width + BOX.across) * heightOf(node),
    0,
  );
  const maxHeight = Math.max(600, Math.sqrt(area / 2));
  const columns = layeredColumns(builder.build(), heightOf, maxHeight).map((indexes) =>
    indexes.flatMap((index) => children[index] ?? []),
  );
  const heights = columns.map((items) =>
    items.reduce((sum, { height }) => sum + height + BOX.along, -BOX.along),
  );
  const height = Math.max(0, ...heights);
  let left = inset;
  group.columns = columns.map((items, column) => {
    let y = top + (height - (heights[column] ?? 0)) / 2;
    const gaps = [y - BOX.along / 2];
    for (const item of items) {
      Object.assign(item, { left, top: y, column });
      y += item.height + BOX.along;
      gaps.push(y - BOX.along / 2);
    }
    const right = left + Math.max(...items.map(({ width }) => width));
    const placed = { left, right, gaps };
    left = right + BOX.across;
    return placed;
  });
  group.width = Math.max(0, left - BOX.across) + inset;
  group.height = top + height + inset;
}

/** Makes the position of an item absolute, whose group has been moved before. */
function moveInto(item: Item): void {
  item.left += item.parent?.left ?? 0;
  item.top += item.parent?.top ?? 0;
  for (const column of item.columns) {
    column.left += item.left;
    column.right += item.left;
    column.gaps = column.gaps.map((gap) => gap + item.top);
  }
}

/** Leads an edge through the spaces between the items of the columns that it crosses. */
function routeOf(from: Item, to: Item): readonly number[] {
  const [first, last] = siblings(from, to);
  const endX = to.left;
  const endY = to.top + to.height / 2;
  let x = from.left + from.width;
  let y = from.top + from.height / 2;
  const points = [x, y];
  // Only where a cycle of modules was ignored.
  if (first.column >= last.column) return [...points, endX, endY];
  const cross = (group: Item | undefined, begin: number, end: number): void => {
    for (const { left, right, gaps } of group?.columns.slice(begin, end) ?? []) {
      const wish = y + ((endY - y) * (left - x)) / Math.max(1, endX - x);
      y = nearest(gaps, wish);
      points.push(left, y, right, y);
      x = right;
    }
  };
  for (let item = from; ; item = item.parent ?? item) {
    x = item.parent?.columns[item.column]?.right ?? x;
    points.push(x, y);
    if (item === first) break;
    cross(item.parent, item.column + 1, item.parent?.columns.length ?? 0);
  }
  cross(first.parent, first.column + 1, last.column);
  const inner: Item[] = [];
  for (let item = to; item !== last; item = item.parent ?? item) inner.unshift(item);
  for (const item of inner) cross(item.parent, 0, item.column);
  points.push(endX, endY);
  return points.map(Math.round);
}

function nearest(sorted: readonly number[], wish: number): number {
  let [low, high] = [0, sorted.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < wish) low = middle;
    else high = middle;
  }
  const [a, b] = [sorted[low] ?? wish, sorted[high] ?? wish];
  return wish - a < b - wish ? a : b;
}
