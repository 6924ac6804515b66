import type { PageCanvas } from './browser.ts';
import type { PageModel } from './page-model.ts';

/** The visible part of a drawing: its top left corner, and the number of screen pixels per pixel of the drawing. */
export interface Viewport {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

/** Draws the visible part of a graph; `color` resolves a name of the design. Runs in the browser. */
export function drawGraph(
  canvas: PageCanvas,
  model: PageModel,
  view: Viewport,
  ratio: number,
  color: (name: string) => string,
): void {
  const MAX_LINES = 4000;
  const { resources, frames, lines, routes, box, selected } = model;
  const { clientWidth: width, clientHeight: height } = canvas;
  const context = canvas.getContext('2d');
  const right = view.x + width / view.scale;
  const bottom = view.y + height / view.scale;
  const isOut = (x1: number, y1: number, x2: number, y2: number): boolean =>
    x2 < view.x || x1 > right || y2 < view.y || y1 > bottom;
  // The label size grows as the user zooms out, so that labels remain readable.
  const labelSize = Math.min(20, Math.max(12, 10.5 / view.scale));
  const labelLength = Math.floor(((box.width - 12) / labelSize) * 2);
  const short = (text: string, length: number): string =>
    text.length > length ? `…${text.slice(1 - length)}` : text;
  const isNear = (line: readonly number[]): boolean => selected >= 0 && line.includes(selected);

  const clear = (): void => {
    if (canvas.width !== width * ratio || canvas.height !== height * ratio) {
      canvas.width = width * ratio;
      canvas.height = height * ratio;
    }
    const scale = ratio * view.scale;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    context.setTransform(scale, 0, 0, scale, -view.x * scale, -view.y * scale);
    context.lineWidth = 1 / Math.sqrt(view.scale);
    context.textBaseline = 'middle';
  };
  const drawFrame = (frame: (typeof frames)[number]): void => {
    const { left, top, width: across, height: along } = frame;
    if (isOut(left, top, left + across, top + along)) return;
    context.beginPath();
    context.roundRect(left, top, across, along, 8);
    context.globalAlpha = 0.5;
    context.fillStyle = color('panel');
    context.fill();
    context.globalAlpha = 1;
    context.strokeStyle = color('line');
    context.stroke();
  };
  const drawTitle = ({
    left,
    top,
    width: across,
    height: along,
    address,
  }: (typeof frames)[number]): void => {
    if (isOut(left, top, left + across, top + along)) return;
    // Titles have a constant size on the screen, unless the frame is too small.
    const size = Math.min(11 / view.scale, Math.max(11, along / 4));
    if (size * view.scale < 7) return;
    context.fillStyle = color('muted');
    context.font = `${size}px system-ui, sans-serif`;
    context.textAlign = 'left';
    context.fillText(address, left + 10, top + 2 + size * 0.65, across - 20);
  };
  const addLine = (line: readonly [number, number], index: number): void => {
    const [a, b] = [resources[line[0]], resources[line[1]]];
    if (a === undefined || b === undefined) return;
    const half = box.height / 2;
    const route = routes[index] ?? [];
    const points =
      route.length > 0 ? route : [a.left + box.width, a.top + half, b.left, b.top + half];
    let [x = 0, y = 0] = points;
    const top = Math.min(...points.filter((_, at) => at % 2 === 1));
    const low = Math.max(...points.filter((_, at) => at % 2 === 1));
    if (isOut(Math.min(x, b.left), top, Math.max(x, b.left), low)) return;
    context.moveTo(x, y);
    for (let i = 2; i < points.length; i += 2) {
      const [nextX = 0, nextY = 0] = [points[i], points[i + 1]];
      const bend = nextX > x ? (nextX - x) / 2 : 60;
      if (nextY === y) context.lineTo(nextX, y);
      else context.bezierCurveTo(x + bend, y, nextX - bend, nextY, nextX, nextY);
      [x, y] = [nextX, nextY];
    }
  };
  const drawLines = (near: boolean): void => {
    context.beginPath();
    context.strokeStyle = color(near ? 'accent' : 'edge');
    context.globalAlpha = near || selected < 0 ? 1 : 0.3;
    for (const [index, line] of lines.entries()) if (isNear(line) === near) addLine(line, index);
    context.stroke();
    context.globalAlpha = 1;
  };
  /** Draws boxes of the same appearance as one path, which is faster. */
  const drawBoxes = (action: string, nodes: readonly number[]): void => {
    context.beginPath();
    for (const node of nodes) {
      const { left, top } = resources[node] ?? { left: 0, top: 0 };
      if (view.scale < 0.2) context.rect(left, top, box.width, box.height);
      else context.roundRect(left, top, box.width, box.height, 6);
    }
    context.fillStyle = color(`${action}-fill`);
    context.fill();
    context.strokeStyle = color(action);
    context.stroke();
  };
  const drawLabel = (node: number): void => {
    const resource = resources[node];
    if (resource === undefined) return;
    const { left, top, label, instances, action } = resource;
    const count = instances.length > 1 ? ` \u00d7${instances.length}` : '';
    const sign = model.signs[action];
    context.fillText(
      `${sign}${short(label, labelLength - sign.length - count.length)}${count}`,
      left + box.width / 2,
      top + box.height / 2,
      box.width - 12,
    );
  };
  const drawResources = (): void => {
    const alike = new Map<string, number[]>();
    for (const [node, { left, top, action }] of resources.entries()) {
      if (isOut(left, top, left + box.width, top + box.height)) continue;
      const isFar = selected >= 0 && node !== selected && !model.near.has(node);
      const key = `${isFar || !model.matching.has(node) ? 'far' : 'near'} ${action}`;
      const nodes = alike.get(key) ?? [];
      nodes.push(node);
      alike.set(key, nodes);
    }
    for (const [key, nodes] of alike) {
      const [distance, action = ''] = key.split(' ');
      context.globalAlpha = distance === 'far' ? 0.35 : 1;
      drawBoxes(action, nodes);
      if (view.scale < 0.5) continue;
      context.fillStyle = color('fg');
      context.font = `${labelSize}px system-ui, sans-serif`;
      context.textAlign = 'center';
      nodes.forEach(drawLabel);
    }
    context.globalAlpha = 1;
  };
  const drawSelection = (): void => {
    const resource = resources[selected];
    if (resource === undefined) return;
    context.lineWidth = 3;
    context.strokeStyle = color('accent');
    context.beginPath();
    context.roundRect(resource.left, resource.top, box.width, box.height, 6);
    context.stroke();
  };

  clear();
  frames.forEach(drawFrame);
  if (lines.length <= MAX_LINES) drawLines(false);
  if (selected >= 0) drawLines(true);
  drawResources();
  frames.forEach(drawTitle);
  drawSelection();
}
