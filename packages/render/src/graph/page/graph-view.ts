import type { PageCanvas, PageWindow } from './browser.ts';
import type { drawGraph, Viewport } from './draw-graph.ts';
import type { PageModel } from './page-model.ts';

/** The graph on its canvas, which can be moved and zoomed. */
export interface GraphView {
  redraw(): void;
  /** Fits the whole graph into view. */
  fit(): void;
  /** Zooms around the middle. */
  zoomBy(factor: number): void;
  /** Moves and zooms so that resources are visible and their labels readable, the first of them at least. */
  focus(nodes: readonly number[]): void;
}

/** Draws the graph of a model on a canvas and handles its pointer and wheel. Runs in the browser. */
export function graphView(
  window: PageWindow,
  canvas: PageCanvas,
  model: PageModel,
  draw: typeof drawGraph,
  color: (name: string) => string,
  onPick: (node: number) => void,
): GraphView {
  const { resources, box } = model;
  let view: Viewport = { x: 0, y: 0, scale: 1 };
  let frame = 0;
  const redraw = (): void => {
    if (frame !== 0) return;
    frame = window.requestAnimationFrame(() => {
      frame = 0;
      draw(canvas, model, view, window.devicePixelRatio || 1, color);
    });
  };
  const zoom = (factor: number, x: number, y: number): void => {
    const scale = Math.min(4, Math.max(0.02, view.scale * factor));
    view = {
      scale,
      x: view.x + x / view.scale - x / scale,
      y: view.y + y / view.scale - y / scale,
    };
    redraw();
  };
  /** Shows a part of the drawing; if it would be too small, the surroundings of `start` in readable size. */
  const show = (
    part: { left: number; top: number; right: number; bottom: number },
    smallest: number,
    start?: { left: number; top: number },
  ): void => {
    const { clientWidth, clientHeight } = canvas;
    const wish = Math.min(
      clientWidth / (part.right - part.left),
      clientHeight / (part.bottom - part.top),
    );
    const scale = Math.min(1.2, Math.max(smallest, wish));
    const isWhole = start === undefined || wish >= smallest;
    const x = isWhole ? (part.left + part.right) / 2 : start.left + box.width / 2;
    const y = isWhole ? (part.top + part.bottom) / 2 : start.top + box.height / 2;
    view = { scale, x: x - clientWidth / scale / 2, y: y - clientHeight / scale / 2 };
    redraw();
  };
  const pick = (offsetX: number, offsetY: number): void => {
    const x = view.x + offsetX / view.scale;
    const y = view.y + offsetY / view.scale;
    onPick(
      resources.findIndex(
        ({ left, top }) => x >= left && x <= left + box.width && y >= top && y <= top + box.height,
      ),
    );
  };

  canvas.addEventListener('wheel', (event) => {
    event.preventDefault();
    zoom(Math.exp(-event.deltaY / 400), event.offsetX, event.offsetY);
  });
  let drag: { readonly x: number; readonly y: number; readonly moved: number } | undefined;
  canvas.addEventListener('pointerdown', ({ offsetX, offsetY, pointerId }) => {
    drag = { x: offsetX, y: offsetY, moved: 0 };
    canvas.setPointerCapture(pointerId);
  });
  canvas.addEventListener('pointermove', ({ offsetX, offsetY }) => {
    if (drag === undefined) return;
    const [x, y] = [offsetX - drag.x, offsetY - drag.y];
    drag = { x: offsetX, y: offsetY, moved: drag.moved + Math.abs(x) + Math.abs(y) };
    view = { ...view, x: view.x - x / view.scale, y: view.y - y / view.scale };
    redraw();
  });
  canvas.addEventListener('pointerup', ({ offsetX, offsetY }) => {
    const isClick = drag !== undefined && drag.moved < 4;
    drag = undefined;
    if (isClick) pick(offsetX, offsetY);
  });
  new window.ResizeObserver(redraw).observe(canvas);

  return {
    redraw,
    fit: () => show({ left: 0, top: 0, right: model.width, bottom: model.height }, 0.02),
    zoomBy: (factor) => zoom(factor, canvas.clientWidth / 2, canvas.clientHeight / 2),
    focus(nodes) {
      const [first] = nodes;
      const all = nodes.flatMap((node) => resources[node] ?? []);
      const start = resources[first ?? -1];
      if (start === undefined) return;
      const bounds = {
        left: Math.min(...all.map(({ left }) => left)) - box.margin,
        top: Math.min(...all.map(({ top }) => top)) - box.margin,
        right: Math.max(...all.map(({ left }) => left)) + box.width + box.margin,
        bottom: Math.max(...all.map(({ top }) => top)) + box.height + box.margin,
      };
      show(bounds, 0.5, start);
    },
  };
}
