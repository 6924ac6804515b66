import { escapeXml, replaceNonXmlCharacters } from '@terrane/host';
import type { Drawing, DrawnAction } from './drawing.ts';
import { BOX } from './nested-layout.ts';

/** Color of the border and of the inside of a box, on white. */
const COLORS: Readonly<Record<DrawnAction, readonly [border: string, inside: string]>> = {
  none: ['#8a94a6', '#f4f6f9'],
  create: ['#1f883d', '#e6f6ea'],
  update: ['#9a6700', '#fff6d6'],
  replace: ['#8250df', '#f3ecff'],
  delete: ['#cf222e', '#ffebe9'],
  read: ['#0969da', '#e7f2ff'],
  forget: ['#57606a', '#eaeef2'],
};

const CHARACTERS = 34;

/** Renders a drawing as SVG for browsers and editors; titles contain full addresses. */
export function drawingSvg({ resources, frames, lines, routes, width, height }: Drawing): string {
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...frames.map(
      ({ address, left, top, width: across, height: along }) =>
        `<g><title>${escapedMarkup(address)}</title><rect x="${left}" y="${top}" width="${across}" height="${along}" rx="8" fill="#818b98" fill-opacity="0.07" stroke="#d1d9e0"/><text x="${left + 10}" y="${top + 17}" font-size="11" fill="#59636e">${escapedMarkup(short(address))}</text></g>`,
    ),
    '<g fill="none" stroke="#8c96a3" stroke-opacity="0.7">',
  ];
  for (const [index, [from, to]] of lines.entries()) {
    const [a, b] = [resources[from], resources[to]];
    if (a === undefined || b === undefined) continue;
    const ends = [a.left + BOX.width, a.top + BOX.height / 2, b.left, b.top + BOX.height / 2];
    const route = routes[index] ?? [];
    parts.push(`<path d="${pathOf(route.length === 0 ? ends : route)}"/>`);
  }
  parts.push('</g>');
  for (const { address, label, action, left, top, instances } of resources) {
    const [border, inside] = COLORS[action];
    const count = instances.length > 1 ? ` ×${instances.length}` : '';
    parts.push(
      `<g><title>${escapedMarkup(address)}: ${action === 'none' ? 'no change' : action}</title>`,
      `<rect x="${left}" y="${top}" width="${BOX.width}" height="${BOX.height}" rx="6" fill="${inside}" stroke="${border}"/>`,
      `<text x="${left + BOX.width / 2}" y="${top + 21}" text-anchor="middle">${escapedMarkup(short(label + count))}</text></g>`,
    );
  }
  parts.push('</svg>', '');
  return parts.join('\n');
}

/** A path through points, horizontal at each of them. */
function pathOf(points: readonly number[]): string {
  let [x = 0, y = 0] = points;
  let path = `M${x} ${y}`;
  for (let i = 2; i < points.length; i += 2) {
    const [nextX = 0, nextY = 0] = points.slice(i, i + 2);
    const bend = nextX > x ? (nextX - x) / 2 : 60;
    path +=
      y === nextY ? `H${nextX}` : `C${x + bend} ${y} ${nextX - bend} ${nextY} ${nextX} ${nextY}`;
    [x, y] = [nextX, nextY];
  }
  return path;
}

function short(text: string): string {
  const characters = [...text];
  return characters.length <= CHARACTERS
    ? text
    : `…${characters.slice(characters.length - CHARACTERS + 1).join('')}`;
}

/** Escapes a text for SVG and HTML, without the characters that neither can represent. */
export function escapedMarkup(text: string): string {
  return escapeXml(replaceNonXmlCharacters(text));
}
