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
  /** Moves a resource to the middle. */
  center(node: number): void;
}

/** Draws the graph of a model on a canvas and handles its pointer and wheel. Runs in the browser. */
export function graphView(
  window: PageWindow,
  canvas: PageCanvas,
  model: PageModel,
  draw: typeof drawGraph,
  onPick: (node: number) => void,
): GraphView {
  const { resources, box } = model;
  let view: Viewport = { x: 0, y: 0, scale: 1 };
  let frame = 0;
  const redraw = (): void => {
    if (frame !== 0) return;
    frame = window.requestAnimationFrame(() => {
      frame = 0;
      draw(canvas, model, view, window.devicePixelRatio || 1);
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
    fit() {
      const { clientWidth, clientHeight } = canvas;
      const scale = Math.min(1.2, clientWidth / model.width, clientHeight / model.height);
      const x = (model.width - clientWidth / scale) / 2;
      view = { scale, x, y: (model.height - clientHeight / scale) / 2 };
      redraw();
    },
    zoomBy: (factor) => zoom(factor, canvas.clientWidth / 2, canvas.clientHeight / 2),
    center(node) {
      const resource = resources[node];
      if (resource === undefined) return;
      const scale = Math.max(view.scale, 0.7);
      const x = resource.left + box.width / 2 - canvas.clientWidth / scale / 2;
      view = { scale, x, y: resource.top + box.height / 2 - canvas.clientHeight / scale / 2 };
    },
  };
}
