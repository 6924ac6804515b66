import type { FunctionSpec } from '@terrane/cty';
import { openTofuForm } from '@terrane/functions';
import type { Range } from '@terrane/hcl';
import { dialectOf } from './dialect.ts';

/** The function of a table that a name stands for in a call at a place; without one, as Terraform has it. */
export function functionAt(
  table: ReadonlyMap<string, FunctionSpec>,
  name: string,
  place: Range | undefined,
): FunctionSpec | undefined {
  const spec = table.get(name);
  if (spec === undefined || place === undefined) return spec;
  return dialectOf(place) === 'opentofu' ? openTofuForm(spec) : spec;
}
