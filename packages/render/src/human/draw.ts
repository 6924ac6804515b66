import { compareText, quoteText } from '@terrane/cty';
import { isValidIdentifier } from '@terrane/hcl';
import type {
  BlockGroup,
  BlockView,
  Diff,
  MapView,
  ObjectView,
  PartAction,
  SensitiveView,
  SequenceView,
  SetView,
} from '../diff/diff.ts';
import { colorize } from '../text/style.ts';
import { drawPrimitive } from './draw-primitive.ts';
import {
  type DrawOptions,
  indentation,
  innerOptions,
  nullSuffix,
  replacementSuffix,
  symbol,
} from './options.ts';

/**
 * A diff as text. The first line follows what the caller has already written; further lines are
 * indented by `indent` levels.
 */
export function draw(diff: Diff, indent: number, options: DrawOptions): string {
  const { view, action, replace } = diff;
  switch (view.kind) {
    case 'primitive':
      return drawPrimitive(view, action, replace, indent, options, draw);
    case 'list':
      return drawList(diff, view, indent, options);
    case 'set':
      return drawSet(diff, view, indent, options);
    case 'map':
      return drawMap(diff, view, indent, options);
    case 'object':
      return drawObject(diff, view, indent, options);
    case 'block':
      return drawBlock(diff, view, indent, options);
    case 'sensitive':
      if (options.palette.showSensitive) return draw(view.inner, indent, options);
      return `(sensitive value)${nullSuffix(action, options)}${replacementSuffix(replace, options)}`;
    case 'sensitive-block':
      return drawSensitiveBlock(replace, indent, options);
    case 'unknown': {
      const suffix = replacementSuffix(replace, options);
      if (action === 'create' || view.before === undefined) return `(known after apply)${suffix}`;
      // The replacement is stated once, at the end.
      const before = innerOptions(options, { withoutNull: true, forbidReplacement: replace });
      return `${draw(view.before, indent, before)} -> (known after apply)${suffix}`;
    }
    case 'type-change': {
      const inner = { ...options, withoutNull: true };
      return `${draw(view.before, indent, inner)} ${options.palette.arrow} ${draw(view.after, indent, inner)}`;
    }
    case 'write-only': {
      const text = view.sensitive ? '(sensitive, write-only attribute)' : '(write-only attribute)';
      return `${text}${nullSuffix(action, options)}${replacementSuffix(replace, options)}`;
    }
  }
}

/** Returns the lines of the warning above a part whose sensitivity changes; '' for others. */
function warningLines({ view }: Diff, indent: number, options: DrawOptions): string {
  if (view.kind !== 'sensitive' && view.kind !== 'sensitive-block') return '';
  const inner = view.inner.action;
  if (view.beforeSensitive === view.afterSensitive || inner === 'create' || inner === 'delete') {
    return '';
  }
  const start = indentation(indent);
  const warning = colorize(sensitivityWarning(view, start), options.palette.color);
  const unchanged = view.kind === 'sensitive' && inner === 'no-op';
  return `${start}${warning}${unchanged ? ' The value is unchanged.' : ''}\n`;
}

function sensitivityWarning(view: SensitiveView, indent: string): string {
  const partName = view.kind === 'sensitive' ? 'attribute value' : 'block';
  return view.beforeSensitive
    ? `  # [yellow]Warning[reset]: this ${partName} will no longer be marked as sensitive\n${indent}  # after applying this change.`
    : `  # [yellow]Warning[reset]: this ${partName} will be marked as sensitive and will not\n${indent}  # display in UI output after applying this change.`;
}

/** Returns the line with the number of omitted unchanged parts. */
function unchangedLine(
  partName: 'attribute' | 'element' | 'block',
  count: number,
  indent: number,
  options: DrawOptions,
): string {
  if (count === 0) return '';
  const text = `[dark_gray]# (${count} unchanged ${partName}${count === 1 ? '' : 's'} hidden)[reset]`;
  return `${indentation(indent)}${symbol('no-op', options)}${colorize(text, options.palette.color)}\n`;
}

const IMPORTANT: ReadonlySet<string> = new Set(['id', 'name', 'tags']);

/** Attributes that are shown also when they do not change. */
export function isImportant(attribute: string): boolean {
  return IMPORTANT.has(attribute);
}

/** The first results of {@link attributeName}: objects with the same attributes are numerous. */
const ATTRIBUTE_NAMES = new Map<string, string>();
const MAX_ATTRIBUTE_NAMES = 4096;
/** Longer names, such as keys of maps, are not retained. */
const MAX_RETAINED_NAME = 64;

/** Formats a name in front of "=": quoted unless it is an identifier. */
export function attributeName(name: string): string {
  let text = ATTRIBUTE_NAMES.get(name);
  if (text === undefined) {
    text = isValidIdentifier(name) ? name : quoteText(name);
    if (name.length <= MAX_RETAINED_NAME && ATTRIBUTE_NAMES.size < MAX_ATTRIBUTE_NAMES)
      ATTRIBUTE_NAMES.set(name, text);
  }
  return text;
}

/** Formatted names in display order, and their maximum width. */
interface Names {
  readonly sorted: readonly string[];
  readonly writtenNames: readonly string[];
  readonly width: number;
}

function namesOf(
  parts: ReadonlyMap<string, unknown>,
  write: (name: string) => string,
  { palette }: DrawOptions,
): Names {
  const sorted = sortNames([...parts.keys()]);
  const writtenNames: string[] = [];
  let width = 0;
  for (const name of sorted) {
    const text = write(name);
    writtenNames.push(text);
    const textWidth = palette.widthOf(text);
    if (textWidth > width) width = textWidth;
  }
  return { sorted, writtenNames, width };
}

/** Sorts names in display order, in place. */
export function sortNames(names: string[]): readonly string[] {
  // Schemas and maps are usually sorted.
  return isSorted(names) ? names : names.sort(compareText);
}

function isSorted(names: readonly string[]): boolean {
  for (let i = 1; i < names.length; i++) {
    if (compareText(names[i - 1] ?? '', names[i] ?? '') > 0) return false;
  }
  return true;
}

/** The line of one attribute or map element. */
function namedLine(
  name: string,
  width: number,
  diff: Diff,
  indent: number,
  options: DrawOptions,
  end = '',
): string {
  return `${indentation(indent)}${symbol(diff.action, options)}${options.palette.pad(name, width)} = ${draw(diff, indent, options)}${end}\n`;
}

function drawSensitiveBlock(replace: boolean, indent: number, options: DrawOptions): string {
  const prefix = indentation(indent) + symbol('no-op', options);
  return `{${replacementSuffix(replace, options)}\n${prefix}  # At least one attribute in this block is (or was) sensitive,\n${prefix}  # so its contents will not be displayed.\n${prefix}}`;
}

function closing(bracket: string, diff: Diff, indent: number, options: DrawOptions): string {
  return `${indentation(indent)}${symbol('no-op', options)}${bracket}${nullSuffix(diff.action, options)}`;
}

function elementLine(diff: Diff, indent: number, options: DrawOptions): string {
  return `${indentation(indent)}${symbol(diff.action, options)}${draw(diff, indent, options)},\n`;
}

function drawList(diff: Diff, view: SequenceView, indent: number, options: DrawOptions): string {
  if (view.elements.length === 0) {
    return `[]${nullSuffix(diff.action, options)}${replacementSuffix(diff.replace, options)}`;
  }
  const changed = innerOptions(options, { withoutNull: true });
  const unchanged = innerOptions(options, { showUnchanged: true });
  let text = `[${replacementSuffix(diff.replace, options)}\n`;
  // Unchanged elements since the last one that was written, and the last of them.
  let hiddenCount = 0;
  let last: Diff | undefined;
  let writeNext = false;
  for (const element of view.elements) {
    if (element.action === 'no-op' && !writeNext && !options.showUnchanged) {
      hiddenCount++;
      last = element;
      continue;
    }
    writeNext = false;
    let elementOptions = changed;
    if (view.context) {
      // Order matters in a list: unchanged neighbours show the position of a change.
      text += unchangedLine('element', Math.max(0, hiddenCount - 1), indent + 1, changed);
      if (last !== undefined) text += elementLine(last, indent + 1, unchanged);
      hiddenCount = 0;
      last = undefined;
      if (element.action === 'no-op') elementOptions = unchanged;
      else writeNext = true;
    }
    text += warningLines(element, indent + 1, elementOptions);
    text += elementLine(element, indent + 1, elementOptions);
  }
  text += unchangedLine('element', hiddenCount, indent + 1, options);
  return text + closing(']', diff, indent, options);
}

function drawSet(diff: Diff, view: SetView, indent: number, options: DrawOptions): string {
  const ownReplacement = replacementSuffix(diff.replace && !view.nested, options);
  if (view.elements.length === 0) {
    return `[]${nullSuffix(diff.action, options)}${ownReplacement}`;
  }
  const inner = innerOptions(options, {
    withoutNull: true,
    forceReplacement: diff.replace && view.nested,
  });
  let hiddenCount = 0;
  let text = `[${ownReplacement}\n`;
  for (const element of view.elements) {
    if (element.action === 'no-op' && !options.showUnchanged) {
      hiddenCount++;
      continue;
    }
    text += warningLines(element, indent + 1, options);
    text += elementLine(element, indent + 1, inner);
  }
  text += unchangedLine('element', hiddenCount, indent + 1, options);
  return text + closing(']', diff, indent, options);
}

function drawMap(diff: Diff, view: MapView, indent: number, options: DrawOptions): string {
  const ownReplacement = replacementSuffix(diff.replace && !view.nested, options);
  if (view.elements.size === 0) {
    return `{}${nullSuffix(diff.action, options)}${ownReplacement}`;
  }
  const { sorted, writtenNames: written, width } = namesOf(view.elements, quoteText, options);
  const inner = innerOptions(options, {
    withoutNull: diff.action === 'delete' || view.nested,
    forceReplacement: diff.replace && view.nested,
  });
  let hiddenCount = 0;
  let text = `{${ownReplacement}\n`;
  for (let i = 0; i < sorted.length; i++) {
    const element = view.elements.get(sorted[i] ?? '');
    if (element === undefined) continue;
    if (element.action === 'no-op' && !options.showUnchanged) {
      hiddenCount++;
      continue;
    }
    text += warningLines(element, indent + 1, options);
    // Only objects end with a comma.
    const end = element.view.kind === 'object' ? ',' : '';
    text += namedLine(written[i] ?? '', view.nested ? 0 : width, element, indent + 1, inner, end);
  }
  text += unchangedLine('element', hiddenCount, indent + 1, options);
  return text + closing('}', diff, indent, options);
}

function drawObject(diff: Diff, view: ObjectView, indent: number, options: DrawOptions): string {
  if (view.attributes.size === 0) {
    return `{}${nullSuffix(diff.action, options)}${replacementSuffix(diff.replace, options)}`;
  }
  const inner = innerOptions(options, { withoutNull: !view.nested });
  let text = `{${replacementSuffix(diff.replace, options)}\n`;
  text += attributeLines(view, indent + 1, options, inner);
  return text + closing('}', diff, indent, options);
}

/** The lines of the attributes of an object or block. */
function attributeLines(
  view: ObjectView | BlockView,
  indent: number,
  options: DrawOptions,
  inner: DrawOptions,
): string {
  const { sorted, writtenNames: written, width } = namesOf(view.attributes, attributeName, options);
  let hiddenCount = 0;
  let text = '';
  for (let i = 0; i < sorted.length; i++) {
    const name = sorted[i] ?? '';
    const attribute = view.attributes.get(name);
    if (attribute === undefined) continue;
    const important = isImportant(name);
    if (attribute.action === 'no-op' && !important && !options.showUnchanged) {
      hiddenCount++;
      continue;
    }
    const lineOptions = important ? innerOptions(inner, { showUnchanged: true }) : inner;
    text += warningLines(attribute, indent, options);
    text += namedLine(written[i] ?? '', width, attribute, indent, lineOptions);
  }
  return text + unchangedLine('attribute', hiddenCount, indent, options);
}

const NO_NAMES: readonly string[] = [];

/** A block with its attributes and nested blocks. */
function drawBlock(diff: Diff, view: BlockView, indent: number, options: DrawOptions): string {
  if (view.attributes.size === 0 && view.groups.size === 0) {
    return `{}${replacementSuffix(diff.replace, options)}`;
  }
  let text = `{${replacementSuffix(diff.replace, options)}\n`;
  text += attributeLines(view, indent + 1, options, innerOptions(options));

  let hiddenCount = 0;
  const groupNames = view.groups.size === 0 ? NO_NAMES : [...view.groups.keys()].sort(compareText);
  for (const name of groupNames) {
    const group = view.groups.get(name);
    if (group === undefined) continue;
    const writtenName = attributeName(name);
    let first = true;
    for (const block of shownBlocks(group, diff.action)) {
      const visibleDiff = withSensitivity(block.diff, group);
      if (visibleDiff.action === 'no-op' && !options.showUnchanged) {
        hiddenCount++;
        continue;
      }
      // An empty line between the attributes and every group of blocks.
      if (first && view.attributes.size > 0) text += '\n';
      first = false;
      const inner = innerOptions(options, { forceReplacement: group.replace });
      text += warningLines(visibleDiff, indent + 1, inner);
      const label = block.label === undefined ? '' : ` ${quoteText(block.label)}`;
      text += `${indentation(indent + 1)}${symbol(visibleDiff.action, inner)}${writtenName}${label} ${draw(visibleDiff, indent + 1, inner)}\n`;
    }
  }
  if (hiddenCount > 0) text += `\n${unchangedLine('block', hiddenCount, indent + 1, options)}`;
  return `${text}${indentation(indent)}${symbol('no-op', options)}}`;
}

function shownBlocks(group: BlockGroup, action: PartAction): BlockGroup['blocks'] {
  const blocks = group.blocks.some((block) => block.label !== undefined)
    ? [...group.blocks].sort((a, b) => compareText(a.label ?? '', b.label ?? ''))
    : group.blocks;
  if (!group.unknown || group.single) return blocks;
  // The number of blocks is unknown, so a single block represents all of them.
  const unknown: Diff = {
    action,
    replace: false,
    view: { kind: 'unknown', before: undefined },
  };
  return [{ label: undefined, diff: unknown }, ...blocks];
}

/** Marks each block as sensitive if its group is sensitive. */
function withSensitivity(diff: Diff, group: BlockGroup): Diff {
  const { beforeSensitive, afterSensitive } = group;
  const sensitive =
    diff.action === 'create'
      ? afterSensitive
      : diff.action === 'delete'
        ? beforeSensitive
        : beforeSensitive || afterSensitive;
  if (!sensitive) return diff;
  return {
    action: diff.action === 'no-op' && beforeSensitive !== afterSensitive ? 'update' : diff.action,
    replace: diff.replace,
    view: { kind: 'sensitive-block', inner: diff, beforeSensitive, afterSensitive },
  };
}
