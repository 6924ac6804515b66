import { parseInstanceAddr } from '@terrane/addresses';
import { compareText, type Value } from '@terrane/cty';
import type { OutputState, Schemas, State } from '@terrane/engine';
import { typedDiff } from '../diff/attribute-diff.ts';
import { blockDiff } from '../diff/block-diff.ts';
import { wholeChange } from '../diff/change.ts';
import { plainValue, sensitiveFlags } from '../diff/plain.ts';
import { draw } from '../human/draw.ts';
import { topOptions } from '../human/options.ts';
import { paletteOf } from '../human/palette.ts';
import type { TextStyle } from '../text/style.ts';
import { itemAt, itemValue, type StateItem, type StateModule, stateTree } from './state-tree.ts';

/**
 * Formats a state as `terraform show` does: every object with all its attributes, then the outputs. Throws a
 * StateSchemaError if the schemas do not match the state.
 */
export function stateText(state: State, schemas: Schemas, style: TextStyle): string {
  const tree = stateTree(state, schemas);
  if (tree.items.length === 0 && tree.children.length === 0 && state.outputs.size === 0) {
    return 'The state file is empty. No resources are represented.\n';
  }
  const parts: string[] = [];
  writeModule(tree, style, parts, true);
  writeOutputs(state.outputs, style, parts);
  return parts.join('');
}

/** Formats a resource instance as `terraform state show` does; undefined if the state has none at this address. */
export function instanceText(
  state: State,
  address: string,
  schemas: Schemas,
  style: TextStyle,
): string | undefined {
  const addr = parseInstanceAddr(address).address;
  const item = addr === undefined ? undefined : itemAt(state, addr, schemas);
  return item === undefined ? undefined : `${itemText(item, style)}\n`;
}

function writeModule(module: StateModule, style: TextStyle, parts: string[], first: boolean): void {
  if (module.items.length > 0 && !first) parts.push('\n');
  let isFirst = first;
  for (const item of module.items) {
    if (!isFirst) parts.push('\n');
    isFirst = false;
    parts.push(itemText(item, style), '\n');
  }
  for (const child of module.children) writeModule(child, style, parts, isFirst);
}

function itemText(item: StateItem, style: TextStyle): string {
  const { mode, type, name } = item.addr.resource.resource;
  const note =
    item.deposed !== undefined
      ? ` (deposed object ${item.deposed})`
      : item.object.status === 'tainted'
        ? ' (tainted)'
        : '';
  const diff = blockDiff(unchangedValue(itemValue(item)), item.schema.block);
  const options = topOptions(paletteOf(style), { showUnchanged: true, hideSymbols: true });
  return `# ${item.addr.text}:${note}\n${mode === 'managed' ? 'resource' : 'data'} "${type}" "${name}" ${draw(diff, 0, options)}`;
}

/** A state is rendered as a plan without changes. */
function unchangedValue(value: Value): ReturnType<typeof wholeChange> {
  const plain = plainValue(value);
  const sensitive = sensitiveFlags(value);
  return wholeChange(plain, plain, { beforeSensitive: sensitive, afterSensitive: sensitive });
}

function writeOutputs(
  outputs: ReadonlyMap<string, OutputState>,
  style: TextStyle,
  parts: string[],
): void {
  if (outputs.size === 0) return;
  const options = topOptions(paletteOf(style), { showUnchanged: true, hideSymbols: true });
  parts.push('\n\nOutputs:\n\n');
  for (const name of [...outputs.keys()].sort(compareText)) {
    const output = outputs.get(name);
    if (output === undefined) continue;
    const plain = plainValue(output.value);
    const change = wholeChange(plain, plain, {
      beforeSensitive: output.sensitive,
      afterSensitive: output.sensitive,
    });
    parts.push(`${name} = ${draw(typedDiff(change, output.value.type), 0, options)}\n`);
  }
}
