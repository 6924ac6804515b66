import type { PageCanvas, PageDocument, PageWindow } from './browser.ts';
import type { showDetails } from './show-details.ts';
import type { drawGraph } from './draw-graph.ts';
import type { graphView } from './graph-view.ts';
import type { addInstanceList } from './add-instance-list.ts';
import type { pageElements } from './page-elements.ts';
import type { PageData, pageModel } from './page-model.ts';

/** The functions of the script, which reach the browser as text and therefore cannot import each other. */
export interface PageParts {
  readonly pageModel: typeof pageModel;
  readonly pageElements: typeof pageElements;
  readonly drawGraph: typeof drawGraph;
  readonly graphView: typeof graphView;
  readonly showDetails: typeof showDetails;
  readonly addInstanceList: typeof addInstanceList;
}

/** Runs the page in the browser. */
export function showPage(
  window: PageWindow,
  document: PageDocument,
  data: PageData,
  parts: PageParts,
): void {
  const model = parts.pageModel(data);
  const { entries, indexByAddress, before, after } = model;
  const elements = parts.pageElements(document, (address) =>
    select(indexByAddress.get(address) ?? -1),
  );
  // The page has one canvas.
  const canvas = elements.byId('graph') as unknown as PageCanvas;
  const view = parts.graphView(window, canvas, model, parts.drawGraph, (node) =>
    select(node < 0 ? -1 : entries.findIndex((entry) => entry.node === node), false),
  );
  function select(index: number, moves = true): void {
    const entry = entries[index];
    model.selected = entry?.node ?? -1;
    model.near = new Set([...(before[model.selected] ?? []), ...(after[model.selected] ?? [])]);
    parts.showDetails(model, elements, entry);
    if (entry !== undefined && moves) view.center(entry.node);
    const hash = entry === undefined ? ' ' : `#${encodeURIComponent(entry.address)}`;
    if (window.location.hash !== hash) window.history.replaceState(null, '', hash);
    view.redraw();
  }

  if (data.notes.text !== '') {
    const notes = elements.create('details');
    elements.create('summary', 'Outputs', notes);
    elements.diff(data.notes, notes);
    elements.byId('summary').after(notes);
  }
  window.addEventListener('keydown', (event) => {
    const search = elements.byId('search');
    if (event.key === '/' && document.activeElement !== search) {
      event.preventDefault();
      search.focus();
    }
    if (event.key === 'Escape') select(-1);
  });
  elements.byId('in').addEventListener('click', () => view.zoomBy(1.4));
  elements.byId('out').addEventListener('click', () => view.zoomBy(1 / 1.4));
  elements.byId('fit').addEventListener('click', view.fit);
  parts.addInstanceList(model, elements, view.redraw);
  view.fit();
  const { hash } = window.location;
  if (hash.length > 1) select(indexByAddress.get(decodeURIComponent(hash.slice(1))) ?? -1);
}
