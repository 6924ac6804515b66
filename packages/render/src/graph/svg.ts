import { escapeXml, replaceNonXmlCharacters } from '@terrane/host';
import { BOX, type Drawing, type DrawnAction } from './drawing.ts';

/** Color of the border and of the inside of a box, on white. */
export const COLORS: Readonly<Record<DrawnAction, readonly [border: string, inside: string]>> = {
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
export function drawingSvg({ resources, lines, width, height }: Drawing): string {
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    '<g fill="none" stroke="#8a94a6" stroke-opacity="0.6">',
  ];
  for (const [from, to] of lines) {
    const [a, b] = [resources[from], resources[to]];
    if (a === undefined || b === undefined) continue;
    const [x1, y1] = [a.left + BOX.width, a.top + BOX.height / 2];
    const [x2, y2] = [b.left, b.top + BOX.height / 2];
    const bend = Math.max(30, (x2 - x1) / 2);
    parts.push(`<path d="M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}"/>`);
  }
  parts.push('</g>');
  for (const { address, label, module, action, left, top, instances } of resources) {
    const [border, inside] = COLORS[action];
    const count = instances.length > 1 ? ` ×${instances.length}` : '';
    const middle = left + BOX.width / 2;
    parts.push(
      `<g><title>${escapedMarkup(address)}: ${action === 'none' ? 'no change' : action}</title>`,
      `<rect x="${left}" y="${top}" width="${BOX.width}" height="${BOX.height}" rx="6" fill="${inside}" stroke="${border}"/>`,
      `<text x="${middle}" y="${top + (module === '' ? 21 : 15)}" text-anchor="middle">${escapedMarkup(short(label + count))}</text>`,
      ...(module === ''
        ? []
        : [
            `<text x="${middle}" y="${top + 28}" text-anchor="middle" font-size="10" fill="#57606a">${escapedMarkup(short(module))}</text>`,
          ]),
      '</g>',
    );
  }
  parts.push('</svg>', '');
  return parts.join('\n');
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
