import type { Drawing, DrawnAction, DrawnInstance } from '../drawing.ts';
import type { MarkedText } from '../marked-text.ts';
import type { BOX } from '../nested-layout.ts';

/** The data of a page, embedded as JSON. */
export interface PageData extends Drawing {
  readonly box: typeof BOX;
  readonly notes: MarkedText;
}

/** An entry of the list: an instance, or a resource without instances. */
export interface PageEntry extends DrawnInstance {
  /** index of the resource */
  readonly node: number;
  /** address and text in lower case */
  readonly searched: string;
}

/** The data of a page, with the indexes that are derived from them. */
export interface PageModel extends PageData {
  readonly entries: readonly PageEntry[];
  /** the sign of each action, as in plans, with a space; actions are in the order of the list */
  readonly signs: Readonly<Record<DrawnAction, string>>;
  /** index of the entry of an address */
  readonly indexByAddress: ReadonlyMap<string, number>;
  /** indexes of the resources that each resource refers to, and of those that refer to it */
  readonly before: readonly (readonly number[])[];
  readonly after: readonly (readonly number[])[];
  /** the selected resource, or -1; resources next to it; resources of the entries in the list */
  selected: number;
  near: ReadonlySet<number>;
  matching: ReadonlySet<number>;
}

/** Derives the model of a page from its data. Runs in the browser. */
export function pageModel(data: PageData): PageModel {
  const { resources, lines } = data;
  const before = resources.map((): number[] => []);
  const after = resources.map((): number[] => []);
  for (const [from, to] of lines) {
    before[to]?.push(from);
    after[from]?.push(to);
  }
  const unchanged = { action: 'none', text: '', marks: '' } as const;
  const entries = resources.flatMap(({ address, instances }, node) =>
    (instances.length === 0 ? [{ address, ...unchanged }] : instances).map((instance) => ({
      ...instance,
      node,
      searched: `${instance.address}\n${instance.text}`.toLowerCase(),
    })),
  );
  const signs = {
    ...{
      delete: '- ',
      replace: '± ',
      update: '~ ',
      create: '+ ',
      forget: '. ',
      read: '← ',
      none: '',
    },
  };
  // Changes come first, as they matter most; among them, destruction.
  const order = Object.keys(signs);
  entries.sort((a, b) => order.indexOf(a.action) - order.indexOf(b.action));
  const indexByAddress = new Map(entries.map(({ address }, index) => [address, index]));
  for (const [node, { address }] of resources.entries()) {
    if (indexByAddress.has(address)) continue;
    indexByAddress.set(
      address,
      entries.findIndex((entry) => entry.node === node),
    );
  }
  const none: ReadonlySet<number> = new Set<number>();
  return {
    ...data,
    entries,
    signs,
    indexByAddress,
    before,
    after,
    selected: -1,
    near: none,
    matching: none,
  };
}
