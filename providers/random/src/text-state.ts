import { bool, int64, map, nullable, string } from '@terrane/provider/sdk';
import type { AttributeOf, StateOf } from '@terrane/provider/sdk';
import type { Keepers } from './keepers.ts';

type FlagName = 'special' | 'upper' | 'lower' | 'number';
type CountName = 'min_special' | 'min_upper' | 'min_lower' | 'min_numeric' | 'length';

type Text = AttributeOf<typeof string, 'optional'>;
type Flag = AttributeOf<typeof bool, 'optional'>;
type Count = AttributeOf<typeof int64, 'optional'>;

interface TextArguments
  extends Readonly<Record<FlagName | 'numeric', boolean>>, Readonly<Record<CountName, number>> {
  readonly result: string;
}

/** Returns the arguments of an imported text: its length, and otherwise defaults. */
export function importedText(text: string): TextArguments {
  return {
    result: text,
    length: Buffer.byteLength(text),
    number: true,
    numeric: true,
    special: true,
    upper: true,
    lower: true,
    min_special: 0,
    min_upper: 0,
    min_lower: 0,
    min_numeric: 0,
  };
}

type OlderText = Readonly<Record<FlagName, Flag>> &
  Readonly<Record<CountName, Count>> &
  Readonly<Record<'id' | 'override_special' | 'result', Text>> & { readonly keepers: Keepers };

const text = string({ optional: true });
const flag = bool({ optional: true });
const count = int64({ optional: true });

/** The attributes of a state from before `numeric`. */
export const OLDER_TEXT: OlderText = {
  id: text,
  keepers: map(nullable(string), { optional: true }),
  length: count,
  number: flag,
  override_special: text,
  result: text,
  special: flag,
  upper: flag,
  lower: flag,
  min_special: count,
  min_upper: count,
  min_lower: count,
  min_numeric: count,
};

/** The stored attributes of a string, without those of a password. */
export interface UpgradedText extends TextArguments {
  readonly id: string;
  readonly keepers: StateOf<OlderText>['keepers'];
  readonly override_special: string | null;
}

/**
 * Upgrades an older state. Arguments that an import of an old version left null get their defaults, because null would
 * now force a replacement.
 */
export function upgradedText(older: StateOf<OlderText>): UpgradedText {
  const result = older.result ?? '';
  const numeric = older.number ?? true;
  return {
    id: older.id ?? '',
    keepers: older.keepers,
    length: older.length ?? Buffer.byteLength(result),
    number: numeric,
    numeric,
    override_special: older.override_special,
    result,
    special: older.special ?? true,
    upper: older.upper ?? true,
    lower: older.lower ?? true,
    min_special: older.min_special ?? 0,
    min_upper: older.min_upper ?? 0,
    min_lower: older.min_lower ?? 0,
    min_numeric: older.min_numeric ?? 0,
  };
}
