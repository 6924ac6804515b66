import type { PageElements } from './page-elements.ts';
import type { PageEntry, PageModel } from './page-model.ts';

/** Adds the search field, the filters and the list of a page. Runs in the browser. */
export function addInstanceList(
  model: PageModel,
  elements: PageElements,
  onChange: () => void,
): void {
  const MAX_SHOWN = 500;
  const { entries, signs } = model;
  const search = elements.byId('search');
  const selectedActions = new Set<PageEntry['action']>();
  const update = (): void => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const matches = entries.filter(
      ({ action, searched }) =>
        (selectedActions.size === 0 || selectedActions.has(action)) &&
        words.every((word) => searched.includes(word)),
    );
    model.matching = new Set(matches.map(({ node }) => node));
    elements.byId('count').textContent =
      matches.length === entries.length
        ? `${entries.length} instances`
        : `${matches.length} of ${entries.length} instances`;
    const rows = matches.slice(0, MAX_SHOWN).map((entry) => {
      const row = elements.create('li');
      elements.link(entry, signs[entry.action], row);
      return row;
    });
    if (matches.length > MAX_SHOWN) {
      rows.push(elements.create('li', `and ${matches.length - MAX_SHOWN} more`));
    }
    elements.byId('list').replaceChildren(...rows);
    onChange();
  };
  const addFilter = (action: PageEntry['action'], count: number): void => {
    const label = elements.create('label', undefined, elements.byId('filters'));
    const checkbox = elements.create('input', undefined, label);
    checkbox.type = 'checkbox';
    label.style.borderColor = `var(--${action})`;
    label.append(` ${action === 'none' ? 'no change' : action} ${count}`);
    checkbox.addEventListener('change', () => {
      if (checkbox.checked) selectedActions.add(action);
      else selectedActions.delete(action);
      update();
    });
  };

  const counts = new Map<PageEntry['action'], number>();
  for (const { action } of entries) counts.set(action, (counts.get(action) ?? 0) + 1);
  if (counts.size > 1) for (const [action, count] of counts) addFilter(action, count);
  search.addEventListener('input', update);
  search.addEventListener('keydown', ({ key }) => {
    if (key === 'Enter') elements.byId('list').querySelector('button')?.click();
  });
  update();
}
