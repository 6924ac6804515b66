import type { PageEntry, PageModel } from './page-model.ts';
import type { PageElements } from './page-elements.ts';

/** Shows the details of an entry, or hides them for none. Runs in the browser. */
export function showDetails(
  model: PageModel,
  elements: PageElements,
  entry: PageEntry | undefined,
): void {
  const MAX_SHOWN = 500;
  const { resources, signs } = model;
  const details = elements.byId('details');
  details.hidden = entry === undefined;
  details.replaceChildren();
  if (entry === undefined) return;

  const addLinks = (
    title: string,
    targets: readonly { readonly address: string; readonly action: PageEntry['action'] }[],
  ): void => {
    if (targets.length === 0) return;
    elements.create('h3', `${title} (${targets.length})`, details);
    for (const target of targets.slice(0, MAX_SHOWN)) {
      elements.link(target, signs[target.action], details);
    }
    if (targets.length > MAX_SHOWN) {
      elements.create('p', `and ${targets.length - MAX_SHOWN} more`, details);
    }
  };
  const at = (nodes: readonly number[] | undefined): PageModel['resources'] =>
    (nodes ?? []).flatMap((node) => resources[node] ?? []);
  elements.create('h2', entry.address, details);
  elements.create('p', entry.action === 'none' ? 'no change' : entry.action, details);
  if (entry.text !== '') elements.diff(entry, details);
  const instances = resources[entry.node]?.instances ?? [];
  addLinks(
    'Other instances',
    instances.filter(({ address }) => address !== entry.address),
  );
  addLinks('Builds on', at(model.before[entry.node]));
  addLinks('Is built on by', at(model.after[entry.node]));
  details.scrollTop = 0;
}
