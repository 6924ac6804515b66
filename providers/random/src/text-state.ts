import { BOOL, mapType, number, NUMBER, object, objectType, STRING, str, TRUE } from '@terrane/cty';
import type { Type, Value } from '@terrane/cty';

const FLAGS = ['special', 'upper', 'lower'] as const;
const COUNTS = ['min_special', 'min_upper', 'min_lower', 'min_numeric'] as const;

/** The arguments that an imported text gets: its length, and else what is usual. */
export function importedText(text: string): Record<string, Value> {
  const state: Record<string, Value> = {
    result: str(text),
    length: number(Buffer.byteLength(text)),
    number: TRUE,
    numeric: TRUE,
  };
  for (const name of FLAGS) state[name] = TRUE;
  for (const name of COUNTS) state[name] = number(0);
  return state;
}

/** The type of a state from before `numeric`, with some arguments more. */
export function olderTextType(more: readonly ('numeric' | 'bcrypt_hash')[]): Type {
  const types: Record<string, Type> = {
    id: STRING,
    keepers: mapType(STRING),
    length: NUMBER,
    number: BOOL,
    override_special: STRING,
    result: STRING,
  };
  for (const name of FLAGS) types[name] = BOOL;
  for (const name of COUNTS) types[name] = NUMBER;
  if (more.includes('numeric')) types['numeric'] = BOOL;
  if (more.includes('bcrypt_hash')) types['bcrypt_hash'] = STRING;
  return objectType(types);
}

/**
 * The current state for an older one. What an import of an old version left null gets its usual value,
 * as null would now force a replacement.
 */
export function upgradedText(older: Value, changes: Readonly<Record<string, Value>>): Value {
  const or = (name: string, fallback: Value) => {
    const v = older.attr(name);
    return v.isNull ? fallback : v;
  };
  const result = older.attr('result');
  const numeric = or('number', TRUE);
  const state: Record<string, Value> = {
    id: older.attr('id'),
    keepers: older.attr('keepers'),
    length: or('length', number(result.isNull ? 0 : Buffer.byteLength(result.asString()))),
    number: numeric,
    numeric,
    override_special: older.attr('override_special'),
    result,
  };
  for (const name of FLAGS) state[name] = or(name, TRUE);
  for (const name of COUNTS) state[name] = or(name, number(0));
  return object({ ...state, ...changes });
}
