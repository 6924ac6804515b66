import type { FunctionSpec, Value } from '@terrane/cty';
import type { Clock, Environment, FileSystem, Random } from '@terrane/host';
import { CONVERSION_FUNCTIONS } from './conversions.ts';
import { FORMAT_FUNCTIONS } from './format.ts';
import { MAPPING_FUNCTIONS } from './mappings.ts';
import { NUMERIC_FUNCTIONS } from './numeric.ts';
import { SEQUENCE_FUNCTIONS } from './sequences.ts';
import { SET_FUNCTIONS } from './sets.ts';
import { STRING_FUNCTIONS } from './strings.ts';

/** (provisional: written by the lead until the lang engineer's table is here) */
export interface FunctionPorts {
  readonly files: Pick<FileSystem, 'readFileSync' | 'readDirectorySync' | 'statSync'>;
  readonly environment: Pick<Environment, 'cwd' | 'homeDirectory'>;
  readonly clock: Clock;
  readonly random: Random;
}

export function functionTable(
  _ports: FunctionPorts,
  _options: { readonly baseDir: string; readonly pure: boolean; readonly plantimestamp?: Value; readonly consoleMode?: boolean },
): ReadonlyMap<string, FunctionSpec> {
  const table = new Map<string, FunctionSpec>();
  for (const group of [CONVERSION_FUNCTIONS, FORMAT_FUNCTIONS, MAPPING_FUNCTIONS, NUMERIC_FUNCTIONS, SEQUENCE_FUNCTIONS, SET_FUNCTIONS, STRING_FUNCTIONS]) {
    for (const f of group) table.set(f.name, f);
  }
  return table;
}
