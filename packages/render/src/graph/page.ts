import { BOX, type Drawing } from './drawing.ts';
import { markedText } from './marked-text.ts';
import type { PageData } from './page/page-model.ts';
import { pageScript } from './page-script.ts';
import { COLORS, escapedMarkup } from './svg.ts';

/** The head of a page. */
export interface PageHead {
  readonly title: string;
  /** a line below the title, such as "Plan: 1 to add, 0 to change, 2 to destroy." */
  readonly summary: string;
  /** planned output changes and notes, with terminal colors; "" if there are none */
  readonly notes: string;
}

/**
 * Renders a drawing as a self-contained page: a graph to move and zoom, a list to search and filter, and the planned
 * change of each instance. It can be opened from disk and has no external references.
 */
export function drawingPage(drawing: Drawing, head: PageHead): string {
  const data: PageData = { ...drawing, box: BOX, colors: COLORS, notes: markedText(head.notes) };
  // Escaped, so that the data cannot close its element.
  const json = JSON.stringify(data).replaceAll('<', '\\u003c');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>${escapedMarkup(head.title)}</title>
<style>${STYLE}</style>
</head>
<body>
<aside>
<h1>${escapedMarkup(head.title)}</h1>
<p id="summary">${escapedMarkup(head.summary)}</p>
<input id="search" type="search" placeholder="Search addresses and changes ( / )" aria-label="Search">
<div id="filters" role="group" aria-label="Show only"></div>
<p id="count" role="status"></p>
<ul id="list"></ul>
</aside>
<main><canvas id="graph" tabindex="0" aria-label="Graph of the resources; the list has the same"></canvas>
<div id="zoom"><button id="in" title="Zoom in">+</button><button id="out" title="Zoom out">−</button><button id="fit" title="Show all">⤢</button></div></main>
<section id="details" hidden></section>
<script type="application/json" id="data">${json}</script>
<script>${pageScript()}</script>
</body>
</html>
`;
}

const STYLE = `
* { box-sizing: border-box }
body { margin: 0; height: 100vh; display: grid; grid-template-columns: 340px 1fr auto; font: 14px/1.4 system-ui, sans-serif; color: #1f2328; background: #fff }
aside { overflow: auto; padding: 14px; border-right: 1px solid #d0d7de; display: flex; flex-direction: column; gap: 8px }
h1 { font-size: 18px; margin: 0; overflow-wrap: anywhere } h2 { font-size: 15px; margin: 0 0 6px; overflow-wrap: anywhere } h3 { font-size: 13px; margin: 14px 0 4px }
p { margin: 0 } #count { color: #57606a }
input { font: inherit; padding: 6px 8px; border: 1px solid #8a94a6; border-radius: 6px; width: 100% }
#filters { display: flex; flex-wrap: wrap; gap: 6px } #filters label { border: 1px solid #d0d7de; border-radius: 12px; padding: 1px 8px }
ul { list-style: none; margin: 0; padding: 0 }
li button, #details button.link { all: unset; box-sizing: border-box; cursor: pointer; display: block; width: 100%; padding: 3px 6px; border-left: 3px solid transparent; overflow-wrap: anywhere }
li button:hover, #details button.link:hover { background: #eef1f5 } button:focus-visible { outline: 2px solid #0969da }
main { position: relative; overflow: hidden } canvas { width: 100%; height: 100%; display: block; cursor: grab; outline: none }
#zoom { position: absolute; right: 10px; bottom: 10px; display: flex; gap: 4px } #zoom button { width: 32px; height: 32px; font-size: 16px }
#details { width: min(560px, 45vw); overflow: auto; padding: 14px; border-left: 1px solid #d0d7de }
pre { margin: 0; font: 12px/1.45 ui-monospace, monospace; white-space: pre; overflow-x: auto; background: #f4f6f9; padding: 8px; border-radius: 6px }
.add { color: #1a7f37 } .del { color: #cf222e } .chg { color: #9a6700 }
@media (max-width: 800px) { body { grid-template-columns: 1fr; grid-template-rows: auto 50vh auto; height: auto } #details { width: auto } }
`;
