import { showDetails } from './page/show-details.ts';
import { drawGraph } from './page/draw-graph.ts';
import { graphView } from './page/graph-view.ts';
import { addInstanceList } from './page/add-instance-list.ts';
import { pageElements } from './page/page-elements.ts';
import { pageModel } from './page/page-model.ts';
import { type PageParts, showPage } from './page/show-page.ts';

/**
 * Functions that are sent to the browser. Each uses only its parameters and the language, but no other names of its
 * module.
 */
export const PARTS: PageParts = {
  addInstanceList,
  drawGraph,
  graphView,
  pageElements,
  pageModel,
  showDetails,
};

/**
 * Returns the script of a graph page: the source text of the functions in `page/`, which has no types at run time, and a
 * call that runs them with the data of the page.
 */
export function pageScript(): string {
  const parts = Object.entries(PARTS).map(([name, part]) => `${name}: ${String(part)}`);
  return `'use strict';
(${String(showPage)})(window, document, JSON.parse(document.getElementById('data').textContent), {
${parts.join(',\n')}
});
`;
}
