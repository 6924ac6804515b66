import type { MarkedText } from '../marked-text.ts';
import type { PageDocument, PageElement } from './browser.ts';
import type { PageEntry } from './page-model.ts';

/** Creates and finds elements of a page. */
export interface PageElements {
  byId(id: string): PageElement;
  create(name: string, text?: string, parent?: PageElement): PageElement;
  /** A button that selects an address. */
  link(entry: Pick<PageEntry, 'address' | 'action'>, sign: string, parent: PageElement): void;
  diff(text: MarkedText, parent: PageElement): void;
}

/** Creates and finds elements of a document. Runs in the browser. */
export function pageElements(
  document: PageDocument,
  onSelect: (address: string) => void,
): PageElements {
  const classes: Readonly<Record<string, string>> = { '+': 'add', '-': 'del', '~': 'chg' };
  const create: PageElements['create'] = (name, text, parent) => {
    const element = document.createElement(name);
    if (text !== undefined) element.textContent = text;
    parent?.append(element);
    return element;
  };
  return {
    byId(id) {
      const element = document.getElementById(id);
      if (element === null) throw new Error(`no element ${id}`);
      return element;
    },
    create,
    link({ address, action }, sign, parent) {
      const button = create('button', undefined, parent);
      button.className = 'link';
      // Long addresses are broken between their parts.
      const label = create('span', undefined, button);
      for (const part of address.match(/[^._[]+|[._[]/g) ?? []) {
        if (part === '[') create('wbr', undefined, label);
        label.append(part);
        if (part === '.' || part === '_') create('wbr', undefined, label);
      }
      button.style.borderLeftColor = `var(--${action})`;
      button.setAttribute('data-sign', sign);
      button.addEventListener('click', () => onSelect(address));
    },
    diff({ text, marks }, parent) {
      const pre = create('pre', undefined, parent);
      // A text that is wider than its place can be moved by keyboard.
      pre.setAttribute('tabindex', '0');
      for (const [index, line] of text.split('\n').entries()) {
        create('span', `${line}\n`, pre).className = classes[marks[index] ?? ''] ?? '';
      }
    },
  };
}
