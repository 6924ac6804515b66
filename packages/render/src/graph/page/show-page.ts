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
  // A canvas needs the colors that variables of the design stand for in light or dark.
  const probe = elements.create('i', undefined, document.body);
  probe.hidden = true;
  const colors = new Map<string, string>();
  const color = (name: string): string => {
    const existing = colors.get(name);
    if (existing !== undefined) return existing;
    probe.style.color = `var(--${name})`;
    const resolved = window.getComputedStyle(probe).color;
    colors.set(name, resolved);
    return resolved;
  };
  const view = parts.graphView(window, canvas, model, parts.drawGraph, color, (node) =>
    select(node < 0 ? -1 : entries.findIndex((entry) => entry.node === node), false),
  );
  function select(index: number, moves = true): void {
    const entry = entries[index];
    model.selected = entry?.node ?? -1;
    model.near = new Set([...(before[model.selected] ?? []), ...(after[model.selected] ?? [])]);
    parts.showDetails(model, elements, entry);
    for (const button of elements.byId('list').querySelectorAll('button')) {
      button.setAttribute('aria-current', String(button.textContent === entry?.address));
    }
    if (entry !== undefined && moves) view.focus([entry.node, ...model.near]);
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
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    colors.clear();
    view.redraw();
  });
  const selectNode = (node: number | undefined): void =>
    select(entries.findIndex((entry) => entry.node === node));
  /** Moves the selection along an edge, or to the next resource above or below. */
  const step = (key: string): void => {
    const { selected, resources } = model;
    const from = resources[selected];
    if (from === undefined) {
      select(0);
      return;
    }
    if (key === 'ArrowLeft' || key === 'ArrowRight') {
      const [next] = (key === 'ArrowLeft' ? before : after)[selected] ?? [];
      if (next !== undefined) selectNode(next);
      return;
    }
    const down = key === 'ArrowDown' ? 1 : -1;
    let [best, nearest] = [-1, Number.POSITIVE_INFINITY];
    for (const [node, { left, top }] of resources.entries()) {
      const distance = (top - from.top) * down + Math.abs(left - from.left) * 4;
      if ((top - from.top) * down > 0 && distance < nearest) [best, nearest] = [node, distance];
    }
    if (best >= 0) selectNode(best);
  };
  canvas.addEventListener('keydown', (event) => {
    if (event.key === '+' || event.key === '-') view.zoomBy(event.key === '+' ? 1.4 : 1 / 1.4);
    else if (event.key === '0') view.fit();
    else if (event.key.startsWith('Arrow')) step(event.key);
    else return;
    event.preventDefault();
  });
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
  // A graph whose labels would be unreadable as a whole is initially scrolled to its changes.
  const changed = entries.flatMap(({ action, node }) => (action === 'none' ? [] : [node]));
  const isLarge = model.width > 2 * canvas.clientWidth || model.height > 2 * canvas.clientHeight;
  if (isLarge) view.focus(changed.length > 0 ? changed : [0]);
  const { hash } = window.location;
  if (hash.length > 1) select(indexByAddress.get(decodeURIComponent(hash.slice(1))) ?? -1);
}
