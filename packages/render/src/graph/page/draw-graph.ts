import type { PageCanvas } from './browser.ts';
import type { PageModel } from './page-model.ts';

/** The visible part of a drawing: its top left corner, and the number of screen pixels per pixel of the drawing. */
export interface Viewport {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

/** Draws the visible part of a graph. Runs in the browser. */
export function drawGraph(
  canvas: PageCanvas,
  model: PageModel,
  view: Viewport,
  ratio: number,
): void {
  const MAX_LINES = 4000;
  const { resources, lines, box, colors, selected } = model;
  const { clientWidth: width, clientHeight: height } = canvas;
  const context = canvas.getContext('2d');
  const rightEdge = view.x + width / view.scale;
  const bottom = view.y + height / view.scale;
  const isOut = (x1: number, y1: number, x2: number, y2: number): boolean =>
    x2 < view.x || x1 > rightEdge || y2 < view.y || y1 > bottom;

  const clear = (): void => {
    if (canvas.width !== width * ratio || canvas.height !== height * ratio) {
      canvas.width = width * ratio;
      canvas.height = height * ratio;
    }
    const scale = ratio * view.scale;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    context.setTransform(scale, 0, 0, scale, -view.x * scale, -view.y * scale);
  };
  const drawLine = (from: number, to: number): void => {
    const isNear = selected >= 0 && (from === selected || to === selected);
    if (!isNear && lines.length > MAX_LINES) return;
    const [a, b] = [resources[from], resources[to]];
    if (a === undefined || b === undefined) return;
    const [x1, y1] = [a.left + box.width, a.top + box.height / 2];
    const [x2, y2] = [b.left, b.top + box.height / 2];
    if (isOut(Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2))) return;
    const bend = Math.max(30, (x2 - x1) / 2);
    context.strokeStyle = isNear ? '#0969da' : selected >= 0 ? '#d8dee6' : '#a8b1bf';
    context.beginPath();
    context.moveTo(x1, y1);
    context.bezierCurveTo(x1 + bend, y1, x2 - bend, y2, x2, y2);
    context.stroke();
  };
  const drawTexts = ({ left, top, label, module, instances }: (typeof resources)[number]): void => {
    const count = instances.length > 1 ? ` \u00d7${instances.length}` : '';
    const middle = left + box.width / 2;
    const inModule = module !== '';
    context.fillStyle = '#1f2328';
    context.font = '12px system-ui, sans-serif';
    context.fillText(label + count, middle, top + (inModule ? 12 : box.height / 2), box.width - 12);
    if (!inModule) return;
    context.fillStyle = '#57606a';
    context.font = '10px system-ui, sans-serif';
    context.fillText(module, middle, top + 25, box.width - 12);
  };
  const drawBox = (resource: (typeof resources)[number], node: number): void => {
    const { left, top, action } = resource;
    if (isOut(left, top, left + box.width, top + box.height)) return;
    const [border, inside] = colors[action];
    const isFar = selected >= 0 && node !== selected && !model.near.has(node);
    context.globalAlpha = isFar || !model.matching.has(node) ? 0.25 : 1;
    context.fillStyle = inside;
    context.strokeStyle = node === selected ? '#0969da' : border;
    context.lineWidth = node === selected ? 3 : 1;
    context.beginPath();
    context.roundRect(left, top, box.width, box.height, 6);
    context.fill();
    context.stroke();
    if (view.scale > 0.3) drawTexts(resource);
    context.globalAlpha = 1;
  };

  clear();
  context.lineWidth = 1 / Math.sqrt(view.scale);
  for (const [from, to] of lines) drawLine(from, to);
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  resources.forEach(drawBox);
}
