import type { Drawing } from './drawing.ts';
import { markedText } from './marked-text.ts';
import { BOX } from './nested-layout.ts';
import type { PageData } from './page/page-model.ts';
import { pageScript } from './page-script.ts';
import { DESIGN } from './page-style.ts';
import { escapedMarkup } from './svg.ts';

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
  const data: PageData = { ...drawing, box: BOX, notes: markedText(head.notes) };
  // Escaped, so that the data cannot close its element.
  const json = JSON.stringify(data).replaceAll('<', '\\u003c');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>${escapedMarkup(head.title)}</title>
<style>${DESIGN}${STYLE}</style>
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
<main><canvas id="graph" tabindex="0" role="application" aria-label="Graph. Arrow keys follow edges, plus and minus zoom, 0 shows everything, Escape ends the selection. The list has the same resources."></canvas>
<div id="zoom"><button id="in" aria-label="Zoom in">+</button><button id="out" aria-label="Zoom out">−</button><button id="fit" aria-label="Show everything">⤢</button></div></main>
<section id="details" aria-live="polite" aria-label="Selection" hidden></section>
<script type="application/json" id="data">${json}</script>
<script>${pageScript()}</script>
</body>
</html>
`;
}

const STYLE = `
body { height: 100vh; display: grid; grid-template-columns: clamp(260px, 22vw, 460px) minmax(0, 1fr) auto }
aside { overflow: auto; padding: 14px; border-right: 1px solid var(--line); display: flex; flex-direction: column; gap: 8px }
#count { color: var(--muted) } #search { width: 100% }
#filters { display: flex; flex-wrap: wrap; gap: 6px } #filters label { border: 1px solid var(--line); border-radius: 12px; padding: 1px 8px }
ul { list-style: none; margin: 0; padding: 0 }
.link { border: 0; border-left: 3px solid; border-radius: 0; background: none; display: flex; width: 100%; padding: 3px 6px; text-align: left; overflow-wrap: anywhere }
.link::before { content: attr(data-sign); font-family: ui-monospace, monospace; white-space: pre } .link[aria-current='true'] { background: var(--raised) }
main { position: relative; overflow: hidden; min-height: 0 } canvas { position: absolute; width: 100%; height: 100%; cursor: grab; touch-action: none } canvas:focus-visible { outline-offset: -3px }
#zoom { position: absolute; right: 10px; bottom: 10px; display: flex; gap: 4px } #zoom button { width: 36px; height: 36px; padding: 0 }
#details { width: clamp(300px, 34vw, 860px); overflow: auto; padding: 14px; border-left: 1px solid var(--line) }
#details pre, aside pre { background: var(--panel); padding: 8px; border-radius: 6px }
@media (max-width: 900px) { body { grid-template-columns: minmax(0, 1fr); grid-template-rows: auto 55vh auto; height: auto } aside { border: 0 } #list { max-height: 30vh; overflow: auto } #details { width: auto; border: 0 } }
`;
