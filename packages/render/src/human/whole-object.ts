import { formatNumber, type Num, quoteText, type Value } from '@terrane/cty';
import type { PlannedChange } from '@terrane/engine';
import { type AttributeSchema, type BlockSchema, containsSensitive } from '@terrane/provider';
import { attributeDiff } from '../diff/attribute-diff.ts';
import { partsOf } from '../diff/block-diff.ts';
import { wholeChange } from '../diff/change.ts';
import { plainValue, unknownFlags } from '../diff/plain.ts';
import { attributeName, draw, isImportant, sortNames } from './draw.ts';
import { type DrawOptions, indentation, innerOptions, symbol, topOptions } from './options.ts';
import type { Palette } from './palette.ts';

/** An attribute of a block, with its formatted name. */
interface AttributeLayout {
  readonly name: string;
  readonly attribute: AttributeSchema;
  readonly writtenName: string;
  readonly width: number;
  readonly options: DrawOptions;
}

/** The parts of a block that the lines of its objects have in common. */
interface Layout {
  /** in display order */
  readonly attributes: readonly AttributeLayout[];
  readonly blocks: readonly { readonly name: string; readonly isSingle: boolean }[];
  readonly isModern: boolean;
  /** the text in front of the value of each attribute, by action and width of the names */
  readonly starts: Record<'create' | 'delete', Map<number, readonly string[]>>;
  /** the names of the object type seen last, and the positions of the attributes and blocks among them */
  names: readonly string[];
  positions: readonly number[];
  blockPositions: readonly number[];
}

/**
 * Draws objects that are created or deleted as a whole. A large plan has many of them with the same schema, so the text
 * is composed of their values and of what they have in common, without a diff of each.
 */
export class WholeObjects {
  readonly #options: DrawOptions;
  readonly #layouts = new Map<BlockSchema, Layout | undefined>();

  constructor(palette: Palette) {
    this.#options = topOptions(palette);
  }

  /**
   * Returns the text that `draw` returns for the diff of the change. Returns undefined if the change requires a diff: of
   * other actions, with sensitive parts, or with nested blocks.
   */
  draw(change: PlannedChange, block: BlockSchema): string | undefined {
    const { before, after } = change;
    const action = before.isNull ? 'create' : 'delete';
    const object = action === 'create' ? after : before;
    if (
      after.isNull !== (action === 'delete') ||
      !object.isKnown ||
      object.type.kind !== 'object' ||
      before.containsMarked() ||
      after.containsMarked() ||
      change.action === 'forget' ||
      change.importing !== undefined ||
      change.requiredReplace.length > 0
    )
      return undefined;
    const layout = this.#layoutOf(block);
    if (layout === undefined) return undefined;
    if (layout.names !== object.type.names) locateParts(layout, object.type.names);
    return this.#drawn(layout, object.payload as readonly Value[], action);
  }

  #drawn(
    layout: Layout,
    elements: readonly Value[],
    action: 'create' | 'delete',
  ): string | undefined {
    const { attributes, positions, blocks, blockPositions } = layout;
    for (let i = 0; i < blocks.length; i++) {
      if (!isWithoutBlocks(elements[blockPositions[i] ?? -1], blocks[i]?.isSingle === true))
        return undefined;
    }
    let width = 0;
    for (let i = 0; i < attributes.length; i++) {
      const element = elements[positions[i] ?? -1];
      if (element === undefined || element.payload === null) continue;
      width = Math.max(width, attributes[i]?.width ?? 0);
    }
    if (width === 0) return undefined;
    const starts = this.#startsOf(layout, action, width);
    let text = '{\n';
    for (let i = 0; i < attributes.length; i++) {
      const element = elements[positions[i] ?? -1];
      const attribute = attributes[i];
      if (attribute === undefined || element === undefined || element.payload === null) continue;
      const value = this.#valueText(element, attribute, action, layout.isModern);
      if (value === undefined) return undefined;
      text += `${starts[i] ?? ''}${value}\n`;
    }
    return `${text}${symbol('no-op', this.#options)}}`;
  }

  #valueText(
    element: Value,
    { attribute, options }: AttributeLayout,
    action: 'create' | 'delete',
    isModern: boolean,
  ): string | undefined {
    const { payload } = element;
    if (!element.isKnown) return action === 'create' ? '(known after apply)' : undefined;
    const suffix = action === 'create' ? '' : options.palette.toNull;
    switch (element.type.kind) {
      case 'string':
        if (isOneLine(payload as string)) return quoteText(payload as string) + suffix;
        break;
      case 'number':
        return formatNumber(payload as Num) + suffix;
      case 'bool':
        return String(payload) + suffix;
      default:
        break;
    }
    const node = plainValue(element);
    if (node === null) return undefined;
    const change =
      action === 'create'
        ? wholeChange(null, node, { unknown: unknownFlags(element) })
        : wholeChange(node, null);
    const diff = attributeDiff({ ...change, modern: isModern }, attribute);
    return diff.action === action ? draw(diff, 1, options) : undefined;
  }

  #layoutOf(block: BlockSchema): Layout | undefined {
    let layout = this.#layouts.get(block);
    if (layout === undefined && !this.#layouts.has(block)) {
      layout = this.#makeLayout(block);
      this.#layouts.set(block, layout);
    }
    return layout;
  }

  #makeLayout(block: BlockSchema): Layout | undefined {
    const parts = partsOf(block);
    if (parts.writeOnly.length > 0 || containsSensitive(block)) return undefined;
    const inner = innerOptions(this.#options);
    const important = innerOptions(inner, { showUnchanged: true });
    const byName = new Map(parts.attributes.map(({ name, attribute }) => [name, attribute]));
    const attributes = sortNames([...byName.keys()]).flatMap((name) => {
      const attribute = byName.get(name);
      if (attribute === undefined) return [];
      const writtenName = attributeName(name);
      const width = this.#options.palette.widthOf(writtenName);
      const options = isImportant(name) ? important : inner;
      return [{ name, attribute, writtenName, width, options }];
    });
    const blocks = parts.blocks.map(({ name, nested: { nesting } }) => ({
      name,
      isSingle: nesting === 'single' || nesting === 'group',
    }));
    const starts = { create: new Map(), delete: new Map() };
    const { isModern } = parts;
    return { attributes, blocks, isModern, starts, names: [], positions: [], blockPositions: [] };
  }

  #startsOf(layout: Layout, action: 'create' | 'delete', width: number): readonly string[] {
    let starts = layout.starts[action].get(width);
    if (starts === undefined) {
      const { pad } = this.#options.palette;
      const start = `${indentation(1)}${symbol(action, this.#options)}`;
      starts = layout.attributes.map(({ writtenName }) => `${start}${pad(writtenName, width)} = `);
      layout.starts[action].set(width, starts);
    }
    return starts;
  }
}

function locateParts(layout: Layout, names: readonly string[]): void {
  layout.names = names;
  layout.positions = layout.attributes.map(({ name }) => names.indexOf(name));
  layout.blockPositions = layout.blocks.map(({ name }) => names.indexOf(name));
}

/** Returns true if a member of an object has no nested blocks to draw. */
function isWithoutBlocks(element: Value | undefined, isSingle: boolean): boolean {
  if (element === undefined || element.payload === null) return true;
  if (isSingle || !element.isKnown) return false;
  const { payload } = element;
  return payload instanceof Map
    ? payload.size === 0
    : Array.isArray(payload) && payload.length === 0;
}

/** Returns true for a text that is drawn as one quoted line. An empty one may stand for null, and a bracket may begin JSON. */
function isOneLine(text: string): boolean {
  const first = text.charCodeAt(0);
  return text !== '' && first !== 0x7b && first !== 0x5b && !text.includes('\n');
}
