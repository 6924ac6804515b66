import { friendlyName, typeToString, type Value } from '@terrane/cty';
import type { Comparison } from '@terrane/hcl';
import { outputDiff } from '../diff/attribute-diff.ts';
import { wholeChange } from '../diff/change.ts';
import { eitherFlags, plainValue, sensitiveFlags, unknownFlags } from '../diff/plain.ts';
import { colorize, type TextStyle } from '../text/style.ts';
import { draw } from './draw.ts';
import { topOptions } from './options.ts';
import { paletteOf } from './palette.ts';

/**
 * Formats the differences of a failed assertion by line, as a change from the left side to the right one; empty if the
 * values shown with its code suffice.
 */
export function comparisonLines(compared: Comparison, style: TextStyle): readonly string[] {
  const { left, right, isShownInFull } = compared;
  const differInType = left.type !== right.type && !left.isNull && !right.isNull;
  const isValueShown = isShownInFull || differInType || isLong(left) || isLong(right);
  if (!isValueShown) return [];
  // A value that is sensitive on one side must not be shown on the other.
  const sensitive = eitherFlags(sensitiveFlags(left), sensitiveFlags(right));
  const diff = outputDiff(
    wholeChange(plainValue(left), plainValue(right), {
      unknown: unknownFlags(right),
      beforeSensitive: sensitive,
      afterSensitive: sensitive,
    }),
  );
  if (diff.action === 'no-op' && differInType && sensitive === false) {
    const isInName = friendlyName(left.type) !== friendlyName(right.type);
    const nameOf = isInName ? friendlyName : typeToString;
    return [
      `Only the types differ: ${nameOf(left.type)} on the left, ${nameOf(right.type)} on the right`,
    ];
  }
  const diffText = draw(diff, 0, topOptions(paletteOf(style)));
  return [colorize('[bold]Diff: [reset]', style.color), ...`    ${diffText}`.split('\n')];
}

/** Returns true if a value contains more than its short form in the source excerpt of a diagnostic. */
function isLong(value: Value): boolean {
  const { kind } = value.type;
  if (kind === 'bool' || kind === 'number' || value.isNull || !value.isKnown) return false;
  return kind !== 'string' || value.unmark().asString().includes('\n');
}
